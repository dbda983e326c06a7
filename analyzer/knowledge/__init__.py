"""What holds for SGLang by release: arguments, guards, phases, KV bytes, codes; each fact with its source."""

from analyzer.knowledge.arguments import Argument, Remark, Scope, argument, arguments, find
from analyzer.knowledge.argv import parse_argv, value_of
from analyzer.knowledge.codes import Exit, Xid, exit_code, hsa_status, xid
from analyzer.knowledge.dating import dated_by
from analyzer.knowledge.explain import explain
from analyzer.knowledge.gpus import Generation, generation
from analyzer.knowledge.guards import HostPoolGuard, host_pool_guard
from analyzer.knowledge.kv_bytes import is_mla, kv_bytes_per_token
from analyzer.knowledge.phases import Usual, phase_order, usual_duration, usual_pinning
from analyzer.knowledge.release import UNKNOWN, Release
from analyzer.knowledge.rewritings import rewritten

__all__ = [
    "UNKNOWN",
    "Argument",
    "Exit",
    "Generation",
    "HostPoolGuard",
    "Release",
    "Remark",
    "Scope",
    "Usual",
    "Xid",
    "argument",
    "arguments",
    "dated_by",
    "exit_code",
    "explain",
    "find",
    "generation",
    "host_pool_guard",
    "hsa_status",
    "is_mla",
    "kv_bytes_per_token",
    "parse_argv",
    "phase_order",
    "rewritten",
    "usual_duration",
    "usual_pinning",
    "value_of",
    "xid",
]
