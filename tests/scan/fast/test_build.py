"""What is compiled into an object file does what numba's own calls of the same functions do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
numba = pytest.importorskip("numba")
llvmlite = pytest.importorskip("llvmlite.binding")
build = pytest.importorskip("analyzer.scan.fast.build")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")
kernel = pytest.importorskip("analyzer.scan.fast.kernel")
laid = pytest.importorskip("tests.scan.fast.laid")
machine = pytest.importorskip("analyzer.scan.fast.machine")
texts = pytest.importorskip("analyzer.scan.fast.texts")

HEAD = "[2026-02-17 10:02:51 TP1] "
MEMORY = laid.remembering()
laid.told([HEAD + "said", "[2026-02-18 00:00:00 TP0] said"], MEMORY)


@pytest.fixture(scope="module")
def numbas(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The functions as numba has them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "CACHE_DIR", str(tmp_path_factory.mktemp("numba")))
        found = build.dispatchers({name: each.__wrapped__ for name, each in compiled._ALL.items()}, "test")  # noqa: SLF001 - all
        return lambda function: found[f"{function.__module__}.{function.__name__}"]


VALUES = st.from_regex(rb"[0-9]{0,18}(\.[0-9]{0,6})?|True|False|Falsy", fullmatch=True)


@given(text=VALUES, places=st.integers(-1, 4))
def test_values_are_the_same(numbas: Any, text: bytes, places: int) -> None:
    placed = laid.Laid(text)
    assert texts.value(placed.at, 0, places) == numbas(texts.value)(placed.at, 0, places)


@given(text=st.binary(max_size=40))
def test_hashes_are_the_same(numbas: Any, text: bytes) -> None:
    placed = laid.Laid(text)
    for function in (texts.mixed, texts.mixed_bare, texts.mixed_alike):
        assert function(placed.at, 0, len(text)) == numbas(function)(placed.at, 0, len(text))


@given(word=st.binary(min_size=8, max_size=8).map(lambda raw: np.uint64(int.from_bytes(raw, "little"))))
def test_words_with_zeros_for_their_digits_are_the_same(numbas: Any, word: Any) -> None:
    assert texts.zeroed(word) == numbas(texts.zeroed)(word)


LINES = st.one_of(
    st.sampled_from([HEAD, "[2026-02-18 00:00:00 TP0] ", "[2026-02-19 00:00:00] ", "[2026-02-18 00:00:00 TP3] "]),
    st.text(st.characters(codec="ascii"), max_size=40),
)


@settings(max_examples=50)
@given(line=LINES, said=st.text(st.characters(codec="ascii"), max_size=9), time=st.sampled_from([np.nan, 12.5]))
def test_headers_are_the_same(numbas: Any, line: str, said: str, time: float) -> None:
    text = (line + said).encode()
    placed, held = laid.Laid(text), MEMORY.now()
    given_ = placed.at, 0, len(text), placed.limit, time, held.learned
    assert kernel.header(*given_) == numbas(kernel.header)(*given_)


def rounded(number: float) -> int:
    return number  # type: ignore[return-value] - which is the point


def test_a_function_that_does_not_give_what_it_says_is_refused() -> None:
    with pytest.raises(machine.RefusedError, match="rounded is not what its annotations say"):
        build.object_code({"rounded": rounded})


CALLING = """
define i64 @twice(i64 %number) {
  %made = mul i64 %number, 2
  ret i64 %made
}
define i64 @four_times(i64 %number) {
  %once = call i64 @twice(i64 %number)
  %made = call i64 @twice(i64 %once)
  ret i64 %made
}
"""


def test_a_function_takes_in_what_it_calls_and_stays_itself() -> None:
    module = llvmlite.parse_assembly(CALLING)
    build._inline(module, machine.target_machine())  # noqa: SLF001 - what it makes can be seen nowhere else
    text = str(module)
    assert {function.name for function in module.functions} == {"twice", "four_times"}
    assert " call " not in text
    assert "shl i64 %number, 2" in text, "by four"


def test_where_object_files_are_of_another_kind_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "is_readable", lambda _code: False)
    monkeypatch.setattr(build, "_compilable", None)
    with pytest.raises(machine.RefusedError, match="another kind"):
        build.object_code({"rounded": rounded})


def test_where_numba_can_keep_nothing_a_function_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []

    def without_a_place(*, nogil: bool, cache: bool = False) -> object:
        kept.append(cache)
        if cache:
            raise RuntimeError("no locator available")
        return lambda function: (function.__name__, nogil)

    monkeypatch.setattr(build, "_njit", without_a_place)
    assert build.dispatchers({"rounded": rounded}, "mark") == {"rounded": ("rounded", True)}
    assert kept == [True, False]
