// Draws the timelines from the page's data block, and lets them be zoomed, filtered and read by keyboard.
// Without it the page is complete. Every text comes finished from the document and is only ever set as text.
"use strict";
(() => {
  const CHART = 112; // the height of a chart of curves
  const NARROW = 600;
  const PRINTED = 680; // pixels across a printed page
  const HOUR = 3600;
  const DAY = 24 * HOUR;
  const FACTORS = { in: 0.5, out: 2 };
  const STATES = { failed: "✗ ", open: "→ ", unseen: "? " };
  const root = document.documentElement;
  const probe = document.body.appendChild(document.createElement("i"));
  probe.hidden = true;

  // A colour of the style sheet as the scheme in force has it.
  const color = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };

  const palette = () => ({
    ...Object.fromEntries(["ink", "soft", "paper", "rule", "bad", "warn", "bad-fill", "open-fill"].map((n) => [n, color(n)])),
    phases: Array.from({ length: 11 }, (_, n) => color(`phase-${n}`)),
    curves: Array.from({ length: 4 }, (_, n) => color(`curve-${n}`)),
  });

  const boxed = (texts) => {
    const box = document.createElement("div");
    box.className = "tip";
    for (const text of texts) box.appendChild(document.createElement("div")).textContent = text;
    return box;
  };

  const amount = (value, unit) =>
    `${value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 2 })} ${unit}`.trim();

  const between = (value, least, most) => Math.min(Math.max(value, least), most);

  class Timeline {
    constructor(figure, launch) {
      this.figure = figure;
      this.launch = launch;
      this.zero = launch.zero ?? 0;
      this.shown = launch.rows.map(() => true);
      this.items = [];
      this.at = -1; // the bar that the arrow keys are on
      this.explore = figure.querySelector(".explore");
      this.readout = figure.querySelector(".readout");
      for (const part of figure.querySelectorAll(".controls, .explore, .readout")) part.hidden = false;
      this.chart = echarts.init(figure.querySelector(".chart"), null, { renderer: "canvas", height: 200 });
      this.chart.on("datazoom", () => this.sayRange());
      this.chart.on("mouseover", (event) => event.data?.said && this.say(event.data.said));
      this.listen();
      this.draw();
      figure.querySelector("details.table").open = false;
    }

    // Times: the data hold seconds from the launch's first line; the axis holds the clock's milliseconds.

    time(seconds) {
      return this.zero + seconds * 1000;
    }

    get range() {
      const zoom = (this.chart.getOption()?.dataZoom ?? [])[0];
      return zoom ? [zoom.startValue, zoom.endValue] : [this.time(this.launch.from), this.time(this.launch.to)];
    }

    clock(time, exact = false) {
      const seconds = (time - this.zero) / 1000;
      if (this.launch.zero === null) return `${amount(Math.round(seconds), "s")}`;
      const text = new Date(time).toISOString();
      const [begin, end] = this.range;
      const day = this.launch.dated && this.launch.to - this.launch.from > DAY ? `${text.slice(5, 10)} ` : "";
      return day + text.slice(11, exact || end - begin < HOUR * 1000 ? 19 : 16);
    }

    // What is drawn: a line of bars for each process, one for each span below them, then the curves.

    get lines() {
      const rows = this.launch.rows.filter((_, index) => this.shown[index]);
      return [...rows, ...this.launch.spans.map((span) => ({ label: span.label, bars: [{ ...span, state: "span" }] }))];
    }

    draw(width) {
      const { lines, launch: { charts } } = this;
      const wide = width ?? this.figure.clientWidth;
      const left = wide < NARROW ? 74 : 150;
      const gap = wide < NARROW && charts.some((chart) => chart.lines.length > 1) ? 62 : 44; // a legend needs a line there
      const bars = Math.max(1, lines.length) * (lines.length > 24 ? 18 : 24);
      this.place = { wide, left, gap, bars, printed: width !== undefined, below: (n) => 30 + bars + gap + n * (CHART + gap) };
      this.paint = palette();
      this.items = lines.flatMap((line, row) => line.bars.map((bar, column) => ({
        value: [row, this.time(bar.from ?? this.launch.from), this.time(bar.to ?? this.launch.to)],
        bar, row, column, said: bar.said,
      })));
      this.units = ["", ...charts.flatMap((chart) => chart.lines.map(() => chart.unit))];
      const option = this.option(lines, charts);
      this.chart.resize({ width: wide, height: this.place.below(charts.length) - gap + 62 });
      this.chart.setOption(option, { notMerge: true });
      this.sayRange();
    }

    option(lines, charts) {
      const { items, place: { left, bars, below, gap } } = this; // kept by the chart until it is given new ones
      const { ink, soft, paper } = this.paint;
      const across = { left, right: 22 };
      const last = charts.length;
      return {
        animation: false, useUTC: true, backgroundColor: "transparent",
        textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
        aria: { enabled: true, label: { description: this.described(lines, charts) } },
        grid: [{ ...across, top: 30, height: bars },
          ...charts.map((_, n) => ({ ...across, top: below(n), height: CHART, tooltip: { trigger: "axis" } }))],
        axisPointer: { link: [{ xAxisIndex: "all" }], lineStyle: { color: soft, type: "dotted" },
          label: { backgroundColor: ink, color: paper } },
        tooltip: { trigger: "item", confine: true, transitionDuration: 0, backgroundColor: paper, borderColor: soft,
          textStyle: { color: ink }, formatter: (hit) => boxed(Array.isArray(hit) ? this.figures(hit) : hit.data.said) },
        xAxis: [this.times(0, last), ...charts.map((_, n) => this.times(n + 1, last))],
        yAxis: [this.names(lines), ...charts.map((_, n) => this.scale(n + 1))],
        dataZoom: this.zooms(last + 1),
        title: charts.map((chart, n) => ({ text: chart.unit ? `${chart.title}, ${chart.unit}` : chart.title, left,
          top: below(n) - gap + 12, padding: 0, textStyle: { color: ink, fontSize: 12, fontWeight: 600 } })),
        legend: charts.flatMap((chart, n) => (chart.lines.length > 1 ? [this.legend(chart, n)] : [])),
        series: [
          { type: "custom", name: "phases", data: items, encode: { x: [1, 2], y: 0 }, clip: true,
            renderItem: (hit, api) => this.bar(items[hit.dataIndex].bar, hit.coordSys, api) },
          ...charts.flatMap((chart, n) => this.curves(chart, n + 1)),
        ],
      };
    }

    times(n, last) {
      const { soft, rule } = this.paint;
      const labelled = n === 0 || n === last;
      return {
        type: "time", gridIndex: n, position: n ? "bottom" : "top", splitNumber: this.place.wide < NARROW ? 3 : 8,
        min: this.time(this.launch.from), max: this.time(this.launch.to),
        axisLabel: { show: labelled, color: soft, hideOverlap: true, formatter: (time) => this.clock(time) },
        axisLine: { lineStyle: { color: rule } }, axisTick: { show: labelled },
        splitLine: { show: true, lineStyle: { color: rule } },
        axisPointer: { show: true, triggerEmphasis: false,
          label: { show: n === last, formatter: (at) => this.clock(at.value, true) } },
      };
    }

    names(lines) {
      return {
        type: "category", inverse: true, gridIndex: 0, data: lines.map((_, n) => String(n)), axisPointer: { show: false },
        axisLabel: { color: this.paint.ink, width: this.place.left - 10, overflow: "truncate", interval: 0,
          formatter: (n) => lines[n].label },
        axisTick: { show: false }, axisLine: { lineStyle: { color: this.paint.soft } },
      };
    }

    scale(n) {
      return {
        type: "value", gridIndex: n, splitNumber: 2, axisPointer: { show: false },
        axisLabel: { color: this.paint.soft, formatter: (value) => amount(value, "") },
        splitLine: { lineStyle: { color: this.paint.rule } },
      };
    }

    legend(chart, n) {
      const { wide, left, below } = this.place;
      const { ink, soft } = this.paint;
      return {
        type: "scroll", top: below(n) - (wide < NARROW ? 25 : 33), left: wide < NARROW ? left : left + 160, right: 22, padding: 0,
        icon: "rect", itemHeight: 3, itemWidth: 16, data: chart.lines.map((line) => line.name),
        textStyle: { color: ink, fontSize: 11 }, pageTextStyle: { color: soft }, pageIconColor: soft,
      };
    }

    zooms(count) {
      const [startValue, endValue] = this.range;
      const { soft, paper, rule } = this.paint;
      const shared = { xAxisIndex: Array.from({ length: count }, (_, n) => n), filterMode: "none", startValue, endValue };
      return [
        // A finger on the chart scrolls the page; the wheel zooms only with Ctrl, for the same reason.
        { ...shared, type: "inside", zoomOnMouseWheel: "ctrl", disabled: matchMedia("(pointer: coarse)").matches },
        { ...shared, type: "slider", show: !this.place.printed, bottom: 8, height: 20, left: this.place.left, right: 22,
          showDataShadow: false, brushSelect: false, showDetail: false, borderColor: rule, fillerColor: rule, backgroundColor: "transparent",
          handleStyle: { borderColor: soft, color: paper }, moveHandleStyle: { color: soft }, textStyle: { color: soft } },
      ];
    }

    bar(bar, area, api) {
      const { paint } = this;
      const row = api.value(0);
      const right = area.x + area.width;
      const x = (time) => between(api.coord([time, row])[0], area.x, right);
      const begin = x(api.value(1));
      const end = Math.min(right, Math.max(x(api.value(2)), begin + 2));
      if (api.coord([api.value(2), row])[0] < area.x || begin >= right) return null;
      const height = api.size([0, 1])[1] * 0.72;
      const y = api.coord([0, row])[1] - height / 2;
      const waits = bar.state === "open" && !bar.serves;
      const spoken = waits ? between(x(this.time(bar.spoken ?? bar.from)), begin, end) : end;
      const fill = { failed: paint["bad-fill"], span: paint.paper }[bar.state] ?? paint.phases[bar.phase];
      const stroke = bar.state === "failed" ? paint.bad : waits ? paint.warn : paint.soft;
      const box = (from, to, style) => ({
        type: "rect", shape: { x: from, y, width: to - from, height, r: 2 }, style,
        emphasis: { style: { fill: style.fill, stroke: paint.ink, lineWidth: 2 } },
      });
      const parts = [box(begin, spoken, { fill, stroke, lineWidth: 1, lineDash: bar.state === "unseen" ? [2, 2] : null })];
      if (spoken < end) parts.push(box(spoken, end, { fill: paint["open-fill"], stroke, lineWidth: 1, lineDash: [4, 3] }));
      const style = { text: this.named(bar, end - begin), x: begin + 5, y: y + height / 2, verticalAlign: "middle",
        fill: paint.ink, fontSize: 11, fontWeight: bar.state === "failed" ? "bold" : "normal" };
      return { type: "group", children: [...parts, { type: "text", silent: true, style }] };
    }

    // The longest name that fits a bar, with a sign for the state where that matters; else nothing.
    named(bar, width) {
      const names = bar.names.map((name) => (STATES[bar.state] ?? "") + name);
      return names.find((name) => name.length * 6.4 + 8 <= width) ?? "";
    }

    curves(chart, n) {
      return chart.lines.map((line, index) => ({
        type: "line", name: line.name, xAxisIndex: n, yAxisIndex: n, showSymbol: line.points.length < 30, symbolSize: 4,
        data: line.points.map(([seconds, value]) => [this.time(seconds), value]),
        lineStyle: { width: 1.5, type: ["solid", "dashed"][Math.floor(index / 4) % 2] },
        itemStyle: { color: this.paint.curves[index % 4] }, emphasis: { disabled: true },
      }));
    }

    described(lines, charts) {
      const bars = lines.slice(0, 12).map((line) => `${line.label}: ${line.bars.map((bar) => bar.names[0]).join(", ")}.`);
      const curves = charts.map((chart) => `Curve: ${chart.title}.`);
      return ["Phases of each process over time.", ...bars, ...curves, "The table below holds the same."].join(" ");
    }

    figures(hits) {
      const measured = hits.filter((hit) => hit.seriesIndex > 0 && Number.isFinite(hit.value[1]));
      measured.sort((one, other) => one.seriesIndex - other.seriesIndex);
      const said = measured.map((hit) => `${hit.seriesName}: ${amount(hit.value[1], this.units[hit.seriesIndex])}`);
      return [this.clock(hits[0].axisValue, true), ...said];
    }

    // What people do with it.

    listen() {
      for (const button of this.figure.querySelectorAll("[data-zoom]")) {
        button.addEventListener("click", () => this.zoom(button.dataset.zoom));
      }
      this.explore.addEventListener("keydown", (event) => this.key(event));
      const boxes = [...this.figure.querySelectorAll(".boxes input")];
      for (const box of boxes) box.addEventListener("change", () => this.filter(boxes));
      for (const button of this.figure.querySelectorAll("[data-rows]")) {
        button.addEventListener("click", () => {
          const wanted = button.dataset.rows; // all, none, or those of a node
          for (const box of boxes) box.checked = wanted === "*" || box.dataset.nodes.split(" ").includes(wanted);
          this.filter(boxes);
        });
      }
    }

    zoom(how) {
      const [least, most] = [this.time(this.launch.from), this.time(this.launch.to)];
      let [begin, end] = this.range;
      const step = (end - begin) / 2;
      if (how === "reset") [begin, end] = [least, most];
      else if (how in FACTORS) {
        const half = Math.max(500, step * FACTORS[how]);
        [begin, end] = [(begin + end) / 2 - half, (begin + end) / 2 + half];
      } else {
        const by = how === "left" ? Math.max(-step, least - begin) : Math.min(step, most - end);
        [begin, end] = [begin + by, end + by];
      }
      this.show(Math.max(begin, least), Math.min(end, most));
    }

    show(startValue, endValue) {
      this.chart.dispatchAction({ type: "dataZoom", startValue, endValue });
    }

    key(event) {
      const zoom = { "+": "in", "=": "in", "-": "out", 0: "reset" }[event.key];
      const move = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey || (!zoom && !move)) return;
      event.preventDefault();
      if (zoom) this.zoom(zoom);
      else this.go(...move);
    }

    go(down, along) {
      const { items } = this;
      const now = items[this.at];
      let next = now ? this.at + along : 0;
      if (now && down) {
        const row = items.map((item, n) => ({ ...item, n })).filter((item) => item.row === now.row + down);
        next = (row[now.column] ?? row.at(-1))?.n;
      }
      if (next === undefined || !items[next]) return;
      this.at = next;
      const [, from, to] = items[next].value;
      const [begin, end] = this.range;
      if (to < begin || from > end) this.show(from, Math.min(from + end - begin, this.time(this.launch.to)));
      this.chart.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: next });
      this.say(items[next].said);
    }

    say(texts) {
      this.readout.textContent = texts.join(" · ");
    }

    sayRange() {
      const [begin, end] = this.range;
      this.figure.querySelector(".range").textContent = `${this.clock(begin, true)} to ${this.clock(end, true)}`;
    }

    filter(boxes) {
      this.shown = boxes.map((box) => box.checked);
      this.figure.querySelectorAll("tr[data-row]").forEach((line, index) => { line.hidden = !this.shown[index]; });
      const count = this.shown.filter(Boolean).length;
      this.figure.querySelector(".count").textContent = `${count} of ${boxes.length}`;
      this.at = -1;
      this.draw();
    }
  }

  const figures = [...document.querySelectorAll("figure.launch")];
  const launches = JSON.parse(document.getElementById("data").textContent);
  const timelines = figures.map((figure, n) => new Timeline(figure, launches[n]));
  const redraw = (width) => timelines.forEach((timeline) => timeline.draw(width));

  const theme = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const label = () => { theme.textContent = dark() ? "Light mode" : "Dark mode"; };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    label();
    redraw();
  });
  system.addEventListener("change", () => { label(); redraw(); });
  label();

  let resizing = 0;
  addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(redraw, 150);
  });

  let before = null;
  addEventListener("beforeprint", () => {
    const closed = [...document.querySelectorAll("details:not([open])")];
    before = { closed, theme: root.dataset.theme };
    for (const details of closed) details.open = true;
    root.dataset.theme = "light";
    redraw(PRINTED);
  });
  addEventListener("afterprint", () => {
    for (const details of before?.closed ?? []) details.open = false;
    if (before?.theme) root.dataset.theme = before.theme;
    else delete root.dataset.theme;
    redraw();
  });
})();
