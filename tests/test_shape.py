"""The source keeps its budget, says what it is, and has a test where one is looked for."""

from __future__ import annotations

import ast
import functools
import io
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import analyzer
import analyzer.rules  # registers the rules
from analyzer.rule import RULES
from tests.samples import CASES, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.contract import Report

FILE_BUDGET = 300
FUNCTION_BUDGET = 40
NEEDS_A_TEST_FROM = 30  # code lines inside functions; a smaller module shows in its package's tests
VAGUE = {"utils", "util", "helpers", "helper", "common", "core", "misc"}
LONG = "# long: "

# Modules without a test file of their own: where they are tested, and why there.
TESTED_THROUGH = {
    "diagnose/__init__.py": ("test_samples.py", "it composes whole reports, and every sample is one"),
}
SHARED_SUMS = "ledgers/"  # tested in the verdicts of the rules that share them; every rule has its test

PACKAGE = Path(analyzer.__file__).parent
TESTS = ROOT / "tests"
NOISE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source:
    """One parsed file and the numbers of its code lines: no blanks, comments, docstrings."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.lines = text.splitlines()
        self.code = {
            row
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type not in NOISE
            for row in range(token.start[0], token.end[0] + 1)
        } - self._docstrings()

    def _docstrings(self) -> set[int]:
        owners = [n for n in ast.walk(self.tree) if isinstance(n, ast.Module | ast.ClassDef | Function)]
        texts = [n.body[0] for n in owners if ast.get_docstring(n, clean=False) is not None]
        return {row for text in texts for row in _rows(text)}

    def exempt(self, node: ast.stmt) -> bool:
        """Whether a `# long: reason` stands right above the statement, or on its first line."""
        decorators = node.decorator_list if isinstance(node, ast.ClassDef | Function) else []
        first = min([node.lineno, *(d.lineno for d in decorators)])
        above = self.lines[first - 2].strip() if first > 1 else ""
        return above.startswith(LONG) or LONG in self.lines[node.lineno - 1]

    def counted(self) -> int:
        """The code lines that the file's budget is for."""
        tables = {row for node in self.tree.body if self.exempt(node) for row in _rows(node)}
        return len(self.code - tables)

    def logic(self) -> int:
        """The code lines inside functions: what a declaration does not have."""
        functions = [node for node in ast.walk(self.tree) if isinstance(node, Function)]
        return len(self.code & {row for node in functions for part in node.body for row in _rows(part)})

    def functions(self) -> Iterator[tuple[str, int]]:
        """Every function with the code lines of its body."""
        for node in ast.walk(self.tree):
            if isinstance(node, Function) and not self.exempt(node):
                yield node.name, len(self.code & {row for part in node.body for row in _rows(part)})


def _rows(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _named(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py"))


MODULES = _named(PACKAGE)
TEST_FILES = _named(TESTS)
EVERY_FILE = [PACKAGE / name for name in MODULES] + [TESTS / name for name in TEST_FILES]


@functools.cache
def source(path: Path) -> Source:
    return Source(path.read_text("utf-8"))


def test_blank_comment_and_docstring_lines_are_not_counted() -> None:
    text = '"""A module\nof two lines."""\n\n# why\nA = 1\n\ndef f(\n    a,\n):\n    """Says."""\n    # why\n    return (\n        a\n    )\n'
    assert Source(text).counted() == 1 + 3 + 3, "A, the signature's three lines, the return's three"
    assert dict(Source(text).functions()) == {"f": 3}


def test_a_stated_reason_exempts_the_statement_below_it() -> None:
    text = "# long: a table of facts\nA = {\n    1: 2,\n}\nB = 1\n"
    assert Source(text).counted() == 1


@pytest.mark.parametrize("path", EVERY_FILE, ids=str)
def test_a_file_keeps_its_budget(path: Path) -> None:
    assert source(path).counted() <= FILE_BUDGET


@pytest.mark.parametrize("path", EVERY_FILE, ids=str)
def test_a_function_keeps_its_budget(path: Path) -> None:
    too_long = {name: lines for name, lines in source(path).functions() if lines > FUNCTION_BUDGET}
    assert not too_long


@pytest.mark.parametrize("path", EVERY_FILE, ids=str)
def test_a_file_says_first_what_it_is(path: Path) -> None:
    text = ast.get_docstring(source(path).tree)
    assert text, "no docstring"
    assert text.split("\n\n")[0].rstrip().endswith((".", ":", "?", "!")), "the first sentence has no end"


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert not [path for path in EVERY_FILE if path.stem in VAGUE]


def mirror(module: str) -> str:
    """The test file of a module: `parsers/free.py` has `parsers/test_free.py`, a package's front `test_parsers.py`."""
    path = Path(module)
    if path.name == "__init__.py":
        return f"test_{path.parent.name}.py" if path.parent.name else "test_analyzer.py"
    return str(path.with_name(f"test_{path.name}"))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_has_a_test_file_of_its_name(module: str) -> None:
    file = source(PACKAGE / module)
    a_rule = module.startswith("rules/") and module != "rules/__init__.py"
    a_parser = module.startswith("parsers/") and "claims" in dict(file.functions())
    of_size = file.logic() >= NEEDS_A_TEST_FROM and not module.startswith(SHARED_SUMS)
    if a_rule or a_parser or of_size:
        wanted = TESTED_THROUGH.get(module, (mirror(module), ""))[0]
        assert wanted in TEST_FILES, f"tests/{wanted} is missing"


def test_every_exemption_is_still_needed() -> None:
    for module, (test, reason) in TESTED_THROUGH.items():
        assert reason
        assert module in MODULES, f"{module} is gone"
        assert mirror(module) not in TEST_FILES, f"{module} has a test of its own"
        assert test in TEST_FILES, f"tests/{test} is gone"


def test_a_rule_s_file_has_the_finding_s_name() -> None:
    files = {name for name in MODULES if name.startswith("rules/") and name != "rules/__init__.py"}
    assert files == {f"rules/{rule.replace('-', '_')}.py" for rule in RULES}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_is_found_in_one_sample_and_silent_in_another(rule: str, sample_reports: dict[str, Report]) -> None:
    found = {name for name, report in sample_reports.items() if rule in {f.id for f in report.findings}}
    assert found, "no sample shows it"
    assert found < sample_reports.keys(), "every sample shows it"


def test_every_sample_has_its_answer() -> None:
    folders = {path.name for path in (ROOT / "samples").iterdir() if path.is_dir()}
    assert folders == set(CASES)


def test_every_sample_is_introduced() -> None:
    text = (ROOT / "samples" / "README.md").read_text("utf-8")
    assert [name for name in CASES if f"| `{name}` |" not in text] == []
