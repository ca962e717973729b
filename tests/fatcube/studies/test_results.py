"""Results: what was measured here stays, whatever is handed on from elsewhere."""

from fatcube.studies.results import Results


def record(key, **more):
    return {"key": key, "parameters": {"d": 1}, **more}


def test_what_is_taken_replaces_nothing(tmp_path):
    """Catches a `take` that overwrites what was measured here, or forgets that something failed here."""
    with Results(tmp_path / "r") as results:
        results.put("measured", {"d": 1}, record=record("measured", by="here"))
        results.put("failed", {"d": 1}, reason="it does not fit")
        results.take([record(key, by="elsewhere") for key in ("measured", "failed", "new")])
    with Results(tmp_path / "r", read_only=True) as results:
        assert results.find("measured") == (record("measured", by="here"), None)
        assert results.find("failed") == (None, "it does not fit")
        assert results.find("new") == (record("new", by="elsewhere"), None)
        assert results.items() == [(key, results.find(key)[0]) for key in ("measured", "new")]


def test_what_is_put_replaces_what_was_there(tmp_path):
    """A failure that is tried again, and what was taken, give way to what is measured here."""
    with Results(tmp_path / "r") as results:
        results.take([record("taken", by="elsewhere")])
        results.put("failed", {"d": 1}, reason="it does not fit")
        for key in ("taken", "failed"):
            results.put(key, {"d": 2}, record=record(key, by="here"))
        assert results.records() == [record(key, by="here") for key in ("failed", "taken")]


def test_only_a_new_file_goes_if_nothing_was_put(tmp_path):
    """Catches a file that was there, without points, and is removed by who only opened it."""
    (tmp_path / "there").touch()
    for name in ("there", "new"):
        with Results(tmp_path / name) as results:
            assert results.records() == []
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
