from engine.plots.panels import KERNEL_STYLES, styles, with_panels
from plots.synthetic import SEQUENTIAL, run, table


def points(*overrides, sweep="mine", kernel="2.4.19-pre5", machine="k6-2"):
    return [run(sweep, kernel, machine, SEQUENTIAL, 8, 1, values) for values in overrides]


def lines(rows):
    drawn = with_panels(table(rows))
    return drawn.groupby("panel", sort=False)["line"].agg(list).to_dict()


def test_kernels_of_a_machine_share_a_panel():
    rows = points({}, kernel="2.5.7") + points({}, kernel="2.4.18")
    assert lines(rows) == {f"k6-2, {SEQUENTIAL}": ["2.4.18", "2.5.7"]}


def test_two_machines_of_one_sweep_have_two_panels():
    rows = points({}) + points({}, machine="quad_xeon")
    assert list(lines(rows)) == [f"k6-2, {SEQUENTIAL}", f"quad_xeon, {SEQUENTIAL}"]


def test_an_override_of_all_runs_is_in_the_panel_name():
    assert lines(points({"size_mib": 64})) == {f"k6-2, {SEQUENTIAL}, size_mib 64": ["2.4.19-pre5"]}


def test_values_of_an_override_are_lines_smallest_first():
    rows = points({"queue_size": 1024}, {"queue_size": 64}, {"queue_size": 256})
    assert lines(rows) == {
        f"k6-2, {SEQUENTIAL}, 2.4.19-pre5": ["queue_size 64", "queue_size 256", "queue_size 1024"]
    }


def test_the_presets_own_value_is_one_of_the_lines():
    rows = points({"read_latency": 16}, {}, {"read_latency": 32768})
    [drawn] = lines(rows).values()
    assert drawn == ["read_latency 16", "read_latency 8192", "read_latency 32768"]


def test_a_preset_value_the_results_do_not_have_is_called_preset():
    [drawn] = lines(points({"allocation_chunk_kib": 0}, {})).values()
    assert drawn == ["allocation_chunk_kib 0", "allocation_chunk_kib preset"]


def test_two_overrides_make_one_line_a_combination():
    rows = points(
        {"read_latency": 16, "write_latency": 32}, {"read_latency": 16, "write_latency": 64}, {}
    )
    [drawn] = lines(rows).values()
    assert drawn[0] == "read_latency 16, write_latency 32"
    assert len(set(drawn)) == 3


def test_each_kernel_of_a_sweep_over_a_value_has_a_panel():
    rows = [
        row
        for kernel in ("2.4.18", "2.5.7")
        for row in points({"queue_size": 64}, {"queue_size": 128}, kernel=kernel)
    ]
    assert [len(drawn) for drawn in lines(rows).values()] == [2, 2]


def test_a_run_of_two_sweeps_is_drawn_once():
    assert lines(points({}, sweep="a") + points({}, sweep="b")) == {
        f"k6-2, {SEQUENTIAL}": ["2.4.19-pre5"]
    }


def test_trees_differ_in_more_than_colour():
    looks = [KERNEL_STYLES[name] for name in KERNEL_STYLES]
    assert len({look["marker"] for look in looks}) == len(looks)
    assert len({look["color"] for look in looks}) == len(looks)


def test_own_kernels_have_a_look_of_their_own():
    looks = styles(["2.4.18", "mine", "yours"])
    assert looks["2.4.18"] == KERNEL_STYLES["2.4.18"]
    assert looks["mine"]["color"] != looks["yours"]["color"]
    assert looks["mine"]["marker"] != looks["yours"]["marker"]
