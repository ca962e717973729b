"use strict";
// ---- Figures: drawn as SVG as wide as there is room, with marks, dashes and names beside colours.

{
  const figures = JSON.parse(document.getElementById("figure-data").textContent);
  const SIZE = 12, NAME = 11.5;  // of texts, in pixels
  const MARKS = [  // paths around (0, 0), in the order of the colours
    "M-4 -4L4 4M4 -4L-4 4",
    "M4.6 0A4.6 4.6 0 1 1 -4.6 0A4.6 4.6 0 1 1 4.6 0Z",
    "M-4.2 -4.2H4.2V4.2H-4.2Z",
    "M0 -5.4L5.2 4H-5.2Z",
    "M0 -5.8L5.8 0L0 5.8L-5.8 0Z",
    "M0 5.4L5.2 -4H-5.2Z",
    "M-5.4 -1.7H-1.7V-5.4H1.7V-1.7H5.4V1.7H1.7V5.4H-1.7V1.7H-5.4Z",
    "M-3 -5.2H3L6 0L3 5.2H-3L-6 0Z",
    "M-4.8 -4.8L4.8 -4.8L0 0L4.8 4.8L-4.8 4.8L0 0Z",
  ];
  const DASHES = ["2 3", "", "7 3", "2 2", "9 3 2 3", "5 5", "12 3", "1 4", "9 2 2 2 2 2"];
  const FRONT = "6 4";
  const HATCHES = ["", "", "M0 8L8 0", "M0 0L8 8", "M0 4H8", "M4 0V8", "M0 4H8M4 0V8", "M0 8L8 0M0 0L8 8", "M4 4h1"];
  const colour = look => `var(--series-${look})`;
  const pen = document.createElement("canvas").getContext("2d");

  function widthOf(text, size) {
    pen.font = `${size}px system-ui, sans-serif`;
    return pen.measureText(text).width;
  }

  function make(tag, attributes, parent) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    parent?.append(made);
    return made;
  }

  function write(text, attributes, parent) {
    const made = make("text", attributes, parent);
    // An index of a letter, as in C_R, stands lower.
    text.replaceAll(/\ba b\b/g, "a·b").split(/(?<=\b[A-Za-z])_([A-Za-z0-9])\b/).forEach((part, index) => {
      if (index % 2) made.append(Object.assign(make("tspan", { dy: 3, "font-size": "75%" }), { textContent: part }));
      else if (part) made.append(index ? Object.assign(make("tspan", { dy: -3 }), { textContent: part }) : part);
    });
  }

  const shown = number => typeof number === "string" ? number
    : Math.abs(number) >= 1e5 ? number.toLocaleString("en", { maximumFractionDigits: 0 })
    : String(Number(number.toPrecision(5)));
  const short = number => Math.abs(number) >= 1e6 ? `${Number((number / 1e6).toPrecision(4))}M`
    : Math.abs(number) >= 1e4 ? `${Number((number / 1e3).toPrecision(4))}k` : String(Number(number.toPrecision(6)));

  // ---- Scales: from values to parts of the axis between 0 and 1, and the values that the axis names.

  function linear(low, high, most, whole = false) {
    if (low === high) { low -= Math.abs(low) / 2 || 1; high += Math.abs(high) / 2 || 1; }
    const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
    // Between two counts there is none: an axis of counts names no fractions.
    const step = whole && rough < 1 ? 1 : (whole ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]).map(one => one * power).find(one => one >= rough);
    const from = Math.floor(low / step) * step, to = Math.ceil(high / step) * step;
    const ticks = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);
    return { at: value => (value - from) / (to - from), ticks };
  }

  function logarithmic(low, high, most) {
    const pad = low === high ? 0.3 : 0.04 * Math.log10(high / low);
    let from = Math.log10(low) - pad;
    const to = Math.log10(high) + pad;
    // The axis begins at a round number where one is near, which it names, so that its lowest values can be read.
    const power = 10 ** Math.floor(Math.log10(low)), round = [7, 5, 4, 3, 2, 1.5, 1].map(one => one * power).find(one => one <= low);
    const near = low < high && Math.log10(low / round) < 0.2 * (to - from);
    if (near) from = Math.min(from, Math.log10(round) - 1e-9);
    const every = factors => {
      const found = [];
      for (let power = Math.floor(from) - 1; power <= Math.ceil(to); power++)
        for (const factor of factors) found.push(factor * 10 ** power);
      return found.filter(one => Math.log10(one) >= from && Math.log10(one) <= to);
    };
    const choices = [[1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map(every);
    const found = choices.find(one => one.length <= most) ?? choices.at(-1);
    // Between values that are close to each other there may be no round number of this kind.
    const ticks = [found, choices[0], linear(10 ** from, 10 ** to, most).ticks.filter(one => one > 0 && Math.log10(one) >= from && Math.log10(one) <= to)]
      .find(one => one.length > 1) ?? [low, high];
    if (near && Math.log10(ticks[0] / round) > 0.07 * (to - from)) ticks.unshift(round);
    return { at: value => (Math.log10(value) - from) / (to - from), ticks, says: ", logarithmic" };
  }

  function categories(names) {
    const place = new Map(names.map((name, index) => [name, (index + 0.5) / names.length]));
    return { at: name => place.get(name), ticks: names, part: 1 / names.length };
  }

  function scaleOf(axis, values, most, zero) {
    if (axis.scale === "category") return categories([...new Set(values)]);
    const low = Math.min(...values), high = Math.max(...values);
    if (axis.scale === "log" && low > 0) return logarithmic(low, high, most);
    return linear(zero ? Math.min(0, low) : low, high, most, values.every(Number.isInteger));
  }

  // ---- A figure.

  function drawing({ name, title, says, x, y, series }) {
    const place = document.getElementById(`figure-${name}`), plot = place.querySelector(".plot");
    const off = new Set();
    let rows = null, points = [], svg, chosen = -1, tip, ring;

    const standsFor = point => rows === null || !point.rows.length || point.rows.some(row => rows.has(row));
    const kept = () => series.map(one => ({ ...one, points: off.has(one.name) ? [] : one.points.filter(standsFor) }));

    function draw() {
      const width = Math.max(240, plot.clientWidth), height = Math.round(Math.min(520, Math.max(250, 0.6 * width)));
      const drawn = kept();
      const all = drawn.flatMap(one => one.points);
      plot.replaceChildren();
      points = [];
      chosen = -1;
      if (!all.length) {
        const none = document.createElement("p");
        none.textContent = "No point of this figure stands for a row that is shown.";
        plot.append(none);
        legend(drawn);
        return;
      }
      const bars = drawn.some(one => one.mark === "bars");
      const ups = all.flatMap(one => [one.y, ...(one.low === null ? [] : [one.low, one.high])]);
      const vertical = scaleOf(y, ups, height / 45, bars);
      const left = Math.max(...vertical.ticks.map(one => widthOf(short(one), SIZE))) + 14;
      const right = 14, top = 26;
      const inner = width - left - right;
      const horizontal = scaleOf(x, all.map(one => one.x), inner / 62);
      const turned = x.scale === "category" && horizontal.ticks.some(one => widthOf(one, SIZE) > inner * horizontal.part - 6);
      const under = turned ? Math.max(...horizontal.ticks.map(one => widthOf(one, SIZE))) : 12;
      const bottom = under + 36;
      const down = height + (turned ? under : 0) - top - bottom;
      const px = value => left + inner * horizontal.at(value), py = value => top + down * (1 - vertical.at(value));

      svg = make("svg", { viewBox: `0 0 ${width} ${top + down + bottom}`, tabindex: 0, role: "group",
                          "aria-label": `${title}. ${says} Arrow keys go from point to point.` });
      plot.append(svg);
      const hatches = make("defs", {}, svg);
      const back = make("g", { "aria-hidden": "true" }, svg);
      for (const tick of vertical.ticks) {
        make("path", { class: "grid", d: `M${left} ${py(tick)}H${width - right}` }, back);
        write(short(tick), { class: "tick", x: left - 6, y: py(tick) + 4, "text-anchor": "end" }, back);
      }
      for (const tick of horizontal.ticks) {
        if (x.scale !== "category") make("path", { class: "grid", d: `M${px(tick)} ${top}V${top + down}` }, back);
        const at = { class: "tick", x: px(tick), y: top + down + 17 };
        write(x.scale === "category" ? tick : short(tick), turned
          ? { ...at, y: top + down + 8, "text-anchor": "end", transform: `rotate(-90 ${px(tick)} ${top + down + 8}) translate(0 4)` }
          : { ...at, "text-anchor": "middle" }, back);
      }
      make("path", { class: "axis", d: `M${left} ${top}V${top + down}H${width - right}` }, back);
      axisTitle(y.title + (vertical.says ?? ""), { x: 0, y: 13 }, width, back);
      axisTitle(x.title + (horizontal.says ?? ""), { x: width - right, y: top + down + bottom - 5, "text-anchor": "end" }, width, back);

      // Rings around the points of many fronts would hide them.
      const few = drawn.filter(one => one.mark === "front" && one.points.length).length <= 8;
      const barred = drawn.filter(one => one.mark === "bars");
      for (const one of drawn) {
        const group = make("g", { class: `series ${one.mark}`, "data-series": one.name }, svg);
        if (one.mark === "bars") drawBars(one, barred, hatches, group);
        else drawPoints(one, group);
      }
      ring = make("path", { class: "at", d: MARKS[1], transform: "translate(-99 -99)", "aria-hidden": "true" }, svg);
      names(drawn);
      listen();
      legend(drawn);

      function drawBars(one, barred, hatches, group) {
        const index = barred.findIndex(other => other.name === one.name);
        const step = inner * horizontal.part * 0.84 / barred.length;
        const id = `hatch-${name}-${one.look}`;
        const pattern = make("pattern", { id, width: 8, height: 8, patternUnits: "userSpaceOnUse" }, hatches);
        make("rect", { width: 8, height: 8, style: `fill: ${colour(one.look)}` }, pattern);
        make("path", { d: HATCHES[one.look], style: "stroke: var(--card); stroke-width: 1.6" }, pattern);
        for (const point of one.points) {
          const at = px(point.x) + (index - barred.length / 2) * step;
          make("rect", { class: "point", x: at, y: py(point.y), width: Math.max(1, step - 1), height: top + down - py(point.y),
                         fill: `url(#${id})` }, group);
          points.push({ ...point, series: one.name, across: at + step / 2, up: py(point.y) });
        }
      }

      function drawPoints(one, group) {
        const places = one.points.map(point => [px(point.x), py(point.y)]);
        if (one.mark !== "dots") {
          // A front goes in steps: with less of the one there is no less of the other in between.
          const way = places.map(([across, up], index) =>
            !index ? `M${across} ${up}` : one.mark === "front" ? `H${across}V${up}` : `L${across} ${up}`).join("");
          make("path", { d: way, fill: "none", "stroke-dasharray": one.mark === "front" ? FRONT : DASHES[one.look],
                         style: `stroke: ${one.mark === "front" ? "var(--ink)" : colour(one.look)}`, opacity: one.opacity,
                         "stroke-width": one.mark === "front" ? 1.4 : 1.8, "stroke-linejoin": "round" }, group);
        }
        one.points.forEach((point, index) => {
          const [across, up] = places[index];
          if (one.mark === "front" && few)
            make("path", { class: "ring", d: MARKS[1], transform: `translate(${across} ${up}) scale(1.75)`, fill: "none",
                           style: "stroke: var(--ink)", "stroke-width": 0.8 }, group);
          if (one.mark === "dots") {
            if (point.low !== null)
              make("path", { d: `M${across} ${py(point.low)}V${py(point.high)}`, style: `stroke: ${colour(one.look)}` }, group);
            make("path", { class: "point", d: MARKS[one.look], transform: `translate(${across} ${up})`,
                           style: `fill: ${colour(one.look)}; stroke: ${one.look ? "var(--card)" : colour(0)}`, "stroke-width": one.look ? 0.8 : 1.8,
                           opacity: one.opacity }, group);
          }
          if (one.spoken || one.mark === "dots") points.push({ ...point, series: one.name, look: one.look, across, up });
        });
      }

      // Names where there is room: first the ends of series, then the fronts, then all other points.
      function names(drawn) {
        const fronts = new Set(drawn.filter(one => one.mark === "front").flatMap(one => one.points.map(({ x, y }) => `${x},${y}`)));
        // What stands at one place has one name there, as two could not be told apart: the first ones, and how many more.
        const together = new Map();
        for (const one of all.filter(one => one.name)) {
          const key = `${Math.round(px(one.x) / 2)},${Math.round(py(one.y) / 2)}`;
          together.set(key, together.get(key) ?? { ...one, first: fronts.has(`${one.x},${one.y}`) ? 1 : 2, names: new Set() });
          together.get(key).names.add(one.name);
        }
        const wanted = [
          ...drawn.filter(one => one.label && one.points.length).map(one => ({ ...one.points.at(-1), name: one.label, first: 0 })),
          ...[...together.values()].map(({ names, ...one }) => {
            const [name, ...more] = names;
            return { ...one, name: more.length === 1 ? `${name}; ${more[0]}` : more.length ? `${name} and ${more.length} more` : name };
          }),
        ].sort((one, other) => one.first - other.first);
        // Neither on points nor on fronts, of which each step is a line across and one down.
        const steps = drawn.filter(one => one.mark === "front").flatMap(one => one.points.slice(1).flatMap((point, index) => {
          const [from, start, to, end] = [px(one.points[index].x), py(one.points[index].y), px(point.x), py(point.y)];
          return [[from, start - 1, to, start + 1], [to - 1, Math.min(start, end), to + 1, Math.max(start, end)]];
        }));
        const boxes = some => some.map(({ across, up }) => [across - 5, up - 5, across + 5, up + 5]);
        const taken = [...boxes(points.filter(one => one.look)), ...steps], grey = boxes(points.filter(one => !one.look));
        const lines = drawn.filter(one => one.mark === "line").flatMap(({ points }) => points.slice(1).flatMap((point, index) => {
          const [from, start, to, end] = [px(points[index].x), py(points[index].y), px(point.x), py(point.y)];
          const parts = Math.ceil(Math.hypot(to - from, end - start) / 6);
          return Array.from({ length: parts }, (_, part) => part / parts).map(part => {
            const [across, up] = [from + part * (to - from), start + part * (end - start)];
            return [across - 1, up - 1, across + 1, up + 1];
          });
        }));
        const group = make("g", { class: "names", "aria-hidden": "true" }, svg);
        const said = new Set();
        for (const { x: at, y: value, name: text, first } of wanted) {
          const [across, up] = [px(at), py(value)], key = `${text},${Math.round(across)},${Math.round(up)}`;
          if (said.has(key)) continue;
          said.add(key);
          const wide = widthOf(text, NAME) + 2, high = NAME + 1;
          const places = [[8, -high / 2], [-8 - wide, -high / 2], [-wide / 2, -high - 7], [-wide / 2, 7],
                          [6, -high - 4], [6, 4], [-6 - wide, -high - 4], [-6 - wide, 4]]
            .map(([right, under]) => [across + right, up + under, across + right + wide, up + under + high])
            .filter(([l, t, r, b]) => l >= left + 1 && r <= width - 2 && t >= top - 8 && b <= top + down - 1);
          // On a line where there is no other room, and what is most wanted also on what is grey.
          const box = [[...taken, ...grey, ...lines], [...taken, ...grey], ...(first < 2 ? [taken] : [])]
            .map(others => places.find(([l, t, r, b]) => others.every(([ol, ot, or, ob]) => r <= ol || l >= or || b <= ot || t >= ob)))
            .find(one => one);
          if (!box) continue;
          taken.push(box);
          if (lines.some(([l, t, r, b]) => r > box[0] && l < box[2] && b > box[1] && t < box[3]))
            make("rect", { class: "plate", x: box[0], y: box[1], width: wide, height: high }, group);
          write(text, { class: "name", x: box[0] + 1, y: box[3] - 3 }, group);
        }
      }
    }

    // A title that is too long for one line stands on the narrow page in the tooltip of its end only.
    function axisTitle(text, attributes, room, parent) {
      let kept = text;
      while (kept.length > 8 && widthOf(kept, SIZE) > room - 20) kept = kept.slice(0, -2);
      write(kept === text ? text : `${kept.trimEnd()}…`, attributes, parent);
    }

    // ---- What a point says of itself, where a reader points at it or arrives with the arrow keys.

    function listen() {
      points.sort((one, other) => one.across - other.across || one.up - other.up);
      tip = document.createElement("div");
      tip.className = "tip";
      tip.setAttribute("role", "status");
      tip.hidden = true;
      plot.append(tip);
      const nearest = event => {
        const box = svg.getBoundingClientRect(), zoom = svg.viewBox.baseVal.width / box.width;
        const [across, up] = [(event.clientX - box.left) * zoom, (event.clientY - box.top) * zoom];
        let found = -1, least = 26;
        points.forEach((point, index) => {
          const distance = Math.hypot(point.across - across, point.up - up);
          if (distance < least) [found, least] = [index, distance];
        });
        return found;
      };
      svg.addEventListener("pointermove", event => choose(nearest(event)));
      svg.addEventListener("pointerleave", () => choose(-1));
      svg.addEventListener("blur", () => choose(-1));
      svg.addEventListener("focus", () => { if (svg.matches(":focus-visible")) choose(Math.max(0, chosen)); });
      svg.addEventListener("keydown", event => {
        const last = points.length - 1;
        const to = { ArrowRight: chosen + 1, ArrowDown: chosen + 1, ArrowLeft: chosen - 1, ArrowUp: chosen - 1, Home: 0, End: last }[event.key];
        if (event.key === "Escape") choose(-1);
        if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        choose(Math.max(0, Math.min(last, to)));
      });
    }

    function choose(index) {
      if (!tip) return;
      chosen = index;
      tip.hidden = index < 0;
      const point = points[index];
      ring.setAttribute("transform", point ? `translate(${point.across} ${point.up}) scale(1.5)` : "translate(-99 -99)");
      if (!point) return;
      const values = [`${x.title}: ${shown(point.x)}`, `${y.title}: ${shown(point.y)}` +
        (point.low === null ? "" : ` (${shown(point.low)} to ${shown(point.high)})`)];
      tip.textContent = [...(point.text.length ? point.text : [point.series]), ...values].join("\n");
      const zoom = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      const [across, up] = [point.across * zoom, point.up * zoom + plot.offsetTop];
      const room = place.clientWidth;
      tip.style.left = `${Math.max(6, Math.min(plot.offsetLeft + across + 12, room - tip.offsetWidth - 6))}px`;
      tip.style.top = `${up - tip.offsetHeight - 12 > 0 ? up - tip.offsetHeight - 12 : up + 14}px`;
    }

    // ---- The legend, whose entries show and hide their series.

    function legend(drawn) {
      const list = place.querySelector(".legend"), focused = list.contains(document.activeElement)
        && document.activeElement.dataset.series;
      const entries = new Map();
      for (const one of drawn) {
        const entry = entries.get(one.name) ?? { look: one.look, marks: new Set(), points: 0 };
        entry.marks.add(one.mark);
        entry.points += one.points.length;
        entries.set(one.name, entry);
      }
      // One series is what the title of the figure says.
      list.replaceChildren(...[...entries.size > 1 ? entries : []].filter(([name_, entry]) => entry.points || off.has(name_)).map(([name_, entry]) => {
        const item = document.createElement("li"), button = document.createElement("button");
        button.type = "button";
        button.dataset.series = name_;
        button.setAttribute("aria-pressed", !off.has(name_));
        const sample = make("svg", { viewBox: "0 0 28 14", "aria-hidden": "true" }, button);
        if (entry.marks.has("line")) make("path", { d: "M0 7H28", "stroke-dasharray": DASHES[entry.look], "stroke-width": 1.8,
                                                   style: `stroke: ${colour(entry.look)}` }, sample);
        if (entry.marks.has("front")) {
          make("path", { d: "M0 7H28", "stroke-dasharray": FRONT, "stroke-width": 1.4, style: "stroke: var(--ink)" }, sample);
          make("path", { d: MARKS[1], transform: "translate(14 7) scale(1.3)", fill: "none", style: "stroke: var(--ink)" }, sample);
        }
        if (entry.marks.has("dots")) make("path", { d: MARKS[entry.look], transform: "translate(14 7)",
          style: `fill: ${colour(entry.look)}; stroke: ${colour(entry.look)}` }, sample);
        if (entry.marks.has("bars")) {
          make("rect", { x: 6, width: 16, height: 14, style: `fill: ${colour(entry.look)}` }, sample);
          make("path", { d: HATCHES[entry.look], transform: "translate(10 3)", style: "stroke: var(--card); stroke-width: 1.6" }, sample);
        }
        button.append(name_);
        button.addEventListener("click", () => {
          if (!off.delete(name_)) off.add(name_);
          draw();
        });
        item.append(button);
        return item;
      }));
      if (focused) [...list.querySelectorAll("button")].find(one => one.dataset.series === focused)?.focus();
    }

    let last = 0;
    new ResizeObserver(() => {
      if (plot.clientWidth === last) return;
      last = plot.clientWidth;
      draw();
    }).observe(plot);
    document.addEventListener("rows", event => { rows = event.detail; draw(); });
    draw();
  }

  for (const figure of figures) {
    figure.series = figure.series.map(({ points, ...rest }) => ({
      ...rest,
      spoken: points.some(([, , , , text]) => text?.length),
      points: points.map(([x, y, low = null, high = null, text = [], rows = [], name = ""]) => ({ x, y, low, high, text, rows, name })),
    }));
    drawing(figure);
  }
}
