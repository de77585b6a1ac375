"""What holds for every figure: it can be read, it says what it shows, and its table is what it shows."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.legend import Legend
from matplotlib.text import Text

from engine.errors import UserError
from engine.plots import FIGURES
from engine.plots.draw import draw_figure
from engine.presets import kernel_names
from plots.synthetic import (
    SEQUENTIAL,
    TREES,
    run,
    synthetic_sweep,
    table,
    trade_off_sweep,
    typing_sweep,
    two_readers_sweep,
)

WITH_UNIT = ("threads", "batch / slots, where demand reaches the slots")


def drawn_texts(figure):
    """Every text a reader sees, with its place in pixels."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    off_scale = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
            ticks = [t for t in ticks if not low <= t.get_loc() <= high or not axes.axison]
            off_scale |= {label for t in ticks for label in (t.label1, t.label2)}
    texts = [
        text
        for text in figure.findobj(Text)
        if text.get_text().strip() and text.get_visible() and text not in off_scale
    ]
    return [(text.get_text(), text.get_window_extent(canvas.get_renderer())) for text in texts]


@pytest.fixture(scope="module", params=FIGURES)
def drawn(request, sweep):
    own = {
        "two_readers": two_readers_sweep,
        "elvtune": trade_off_sweep,
        "interactive": typing_sweep,
    }
    return draw_figure(request.param, own.get(request.param, lambda: sweep)())


def test_no_two_texts_overlap(drawn):
    _, figure = drawn
    overlaps = [
        (one, other)
        for (one, box), (other, other_box) in combinations(drawn_texts(figure), 2)
        if box.padded(-0.5).overlaps(other_box.padded(-0.5))
    ]
    assert not overlaps


def test_all_text_is_on_the_page(drawn):
    _, figure = drawn
    page = figure.bbox.padded(1)
    outside = [
        words
        for words, box in drawn_texts(figure)
        if not (page.contains(box.x0, box.y0) and page.contains(box.x1, box.y1))
    ]
    assert not outside


def test_every_axis_has_its_unit(drawn):
    _, figure = drawn
    for axes in figure.axes:
        for label in (axes.get_xlabel(), axes.get_ylabel()):
            assert not label or label in WITH_UNIT or "[" in label
            assert "latency" not in label or "read_latency" in label


def test_every_panel_is_named(drawn):
    _, figure = drawn
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert any("k6-2" in title or SEQUENTIAL in title for title in titles)


def test_its_table_is_not_empty(drawn):
    assert len(drawn[0]) > 0


@pytest.mark.parametrize("kernels", [("2.5.7",), TREES])
@pytest.mark.parametrize("machines", [1, 2])
def test_all_of_every_legend_is_on_the_page(sweep, kernels, machines):
    some = sweep[sweep["machine"].isin(["k6-2", "quad_xeon"][:machines])]
    for name in FIGURES:
        _, figure = draw_figure(name, some[some["kernel"].isin(kernels)])
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        page = figure.bbox.padded(1)
        for legend in figure.findobj(Legend):
            box = legend.get_window_extent(canvas.get_renderer())
            assert page.contains(box.x0, box.y0), name
            assert page.contains(box.x1, box.y1), name


@pytest.mark.parametrize("name", FIGURES)
def test_without_data_it_says_so(name):
    drawn, figure = draw_figure(name, table([]))
    assert len(drawn.columns) > 3  # so that its CSV has a header
    [(sentence, _)] = drawn_texts(figure)
    assert sentence.startswith("No ")
    assert sentence.endswith(".")


@pytest.mark.parametrize("name", FIGURES)
def test_one_point_alone_can_be_drawn(name):
    _, figure = draw_figure(name, table([run("one", "2.4.18", "k6-2", SEQUENTIAL, 8, 1, {})]))
    assert drawn_texts(figure)


def test_unknown_name():
    with pytest.raises(UserError, match="did you mean 'heatmap'"):
        draw_figure("heat_map", table([]))


def lines_of(axes, label):
    return next(line for line in axes.lines if str(line.get_label()).startswith(label))


def test_wall_draws_its_table(sweep):
    drawn, figure = draw_figure("wall", sweep)
    panel = f"k6-2, {SEQUENTIAL}"
    axes = next(
        axes
        for axes in figure.axes
        if panel.replace(" ", "") in axes.get_title(loc="left").replace("\n", "").replace(" ", "")
    )
    rows = drawn.query("panel == @panel and line == '2.5.7' and origin == 'simulated'")
    medians = rows.groupby("threads")["read_max_s"].median()
    line = lines_of(axes, "2.5.7")
    np.testing.assert_array_equal(line.get_xdata(), medians.index)
    np.testing.assert_array_equal(line.get_ydata(), medians)
    assert line.get_label() == "2.5.7: wall 64 (2002: 64)"


def test_published_points_lie_beside_their_machine_only(sweep):
    drawn, _ = draw_figure("wall", sweep)
    published = drawn.query("origin == 'published' and line.str.startswith('2.4.19-pre5 ')")
    assert set(published["machine"]) == {"quad_xeon"}
    first = published.set_index("threads")["read_max_s"]
    assert first[32] == pytest.approx(270.39148 / 3)


def test_random_reads_are_a_figure_of_their_own(sweep):
    sequential, random = (draw_figure(name, sweep)[0] for name in ("wall", "wall_random"))
    assert set(sequential["workload"]) == {SEQUENTIAL}
    assert set(random["workload"]) == {"tiobench_random_read"}


def test_a_failed_point_is_a_gap(sweep):
    lost = (sweep["kernel"] == "2.5.7") & (sweep["threads"] == 32) & (sweep["machine"] == "k6-2")
    drawn, figure = draw_figure("wall", sweep[~lost])
    assert drawn.query("origin == 'missing'")["threads"].tolist() == [32]
    assert np.isnan(lines_of(figure.axes[1], "2.5.7").get_ydata()[3])


def test_a_failed_cell_says_so(sweep):
    lost = (sweep["queue_size"] == 64) & (sweep["threads"] == 8) & (sweep["sweep"] == "queue_size")
    _, figure = draw_figure("heatmap", sweep[~lost])
    assert [words for words, _ in drawn_texts(figure)].count("no run") == 1


def test_heatmap_marks_the_wall_of_every_queue_size(sweep):
    drawn, _ = draw_figure("heatmap", sweep)
    walls = drawn.drop_duplicates("queue_size").set_index("queue_size")["wall"]
    assert walls.to_dict() == {32: "8", 64: "16", 128: "32", 256: "64", 512: "none up to 256"}


def test_two_maps_for_two_kernels():
    rows = [
        run("mine", kernel, "k6-2", SEQUENTIAL, threads, 1, {"queue_size": size})
        for kernel in ("2.4.18", "2.5.7")
        for size in (64, 128)
        for threads in (8, 16)
    ]
    drawn, _ = draw_figure("heatmap", table(rows))
    assert drawn["panel"].nunique() == 2


def test_law_separates_starving_points(sweep):
    drawn, _ = draw_figure("law", sweep)
    assert (drawn[drawn["starves"]]["demand_over_slots"] >= 1).all()
    assert (drawn[drawn["starves"]]["batch_over_slots"] > 0.15).all()


def test_law_names_what_never_happens():
    few = synthetic_sweep(("2.4.18",), (1,), (1,))
    _, figure = draw_figure("law", few[few["sweep"] != "queue_size"])
    assert "demand never reaches the slots" in [words for words, _ in drawn_texts(figure)]


def test_history_has_a_row_a_kernel_in_order_of_time(sweep):
    drawn, figure = draw_figure("history", sweep[sweep["machine"] == "k6-2"])
    first, *_ = figure.axes
    names = [label.get_text() for label in first.get_yticklabels()]
    assert names == sorted(TREES, key=kernel_names().index)
    walls = drawn[(drawn["workload"] == SEQUENTIAL) & (drawn["overrides"] == "{}")]
    assert walls.set_index("kernel")["wall"]["2.5.7"] == "64"
    assert lines_of(first, "wall").get_xdata().tolist() == [32.0, 32.0, 128.0, 32.0, 64.0]


def test_history_tells_a_slow_rise_from_a_wall():
    rows = [
        run("slow", "2.4.18", "k6-2", SEQUENTIAL, threads, 1, {}) | {"read_max_ms": 500.0 * threads}
        for threads in (8, 16, 32, 64)
    ]
    drawn, figure = draw_figure("history", table(rows))
    assert drawn["wall"].tolist() == ["none up to 64"]
    assert drawn["slow_threads"].tolist() == [32]
    assert lines_of(figure.axes[0], "longest read() over").get_xdata().tolist() == [32.0]


def test_two_readers_draws_each_run():
    drawn, figure = draw_figure("two_readers", two_readers_sweep())
    assert drawn.groupby("kernel", sort=False)["read_max_s"].max().to_dict() == {
        "2.4.0": 7.4,
        "2.4.18": 0.023,
    }
    assert len(lines_of(figure.axes[0], "longest").get_xdata()) == 6


def test_elvtune_names_the_knee():
    drawn, figure = draw_figure("elvtune", trade_off_sweep())
    assert drawn[drawn["knee"]][["kernel", "value"]].to_numpy().tolist() == [["2.4.18", 64.0]]
    assert lines_of(figure.axes[0], "2.4.18").get_label() == "2.4.18: knee at read_latency 64"
    assert lines_of(figure.axes[0], "2.5.7").get_label() == "2.5.7: no knee in read_latency"


def test_answers_to_keystrokes_are_drawn_over_the_knob():
    drawn, figure = draw_figure("interactive", typing_sweep())
    curve = drawn[drawn["kernel"] == "2.4.18"]
    assert curve["value"].tolist() == [0, 64, 2048]
    assert curve["round_p99_ms"].tolist() == [40, 100, 3000]
    times, shares, load = figure.axes
    assert lines_of(times, "2.4.18").get_ydata().tolist() == [40, 100, 3000]
    assert lines_of(shares, "2.4.18").get_ydata().tolist() == [1, 2.5, 75]
    assert lines_of(load, "2.5.7").get_ydata().tolist() == [6, 6, 6]
