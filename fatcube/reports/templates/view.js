"use strict";
(() => {

const data = JSON.parse(document.getElementById("data").textContent);
const P = data.processors.length, steps = data.steps.length;
const find = id => document.getElementById(id);
const range = length => Array.from({length}, (_, i) => i);
const nodeOf = processor => Math.floor(processor / data.m);
const many = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

// ---- Messages: [origin, destination, part]; without an origin a partial sum, without a destination for all.

const messages = [], numbers = new Map();

function message(origin, destination, part) {
  const key = `${origin},${destination},${part}`;
  if (!numbers.has(key)) {
    numbers.set(key, messages.length);
    messages.push({number: messages.length, origin, destination, part, partial: origin === null});
  }
  return numbers.get(key);
}

const everybody = range(P), parts = range(data.parts), nobody = [null], root = [data.root];
const ends = {
  "OAB": [[root, nobody]], "OAS": [[root, everybody]], "AOG": [[everybody, root]], "AOR": [[nobody, root]],
  "AAB": [[everybody, nobody]], "AAR": [[nobody, everybody]], "AAS": [[everybody, everybody]],
  "all-reduce": [[nobody, everybody], [everybody, nobody]],
}[data.collective];
for (const [origins, destinations] of ends)
  for (const origin of origins) for (const destination of destinations)
    if (origin !== destination) for (const part of parts) message(origin, destination, part);

const schedule = data.steps.map((transfers, index) => transfers.map(([src, dst, origin, destination, part, lane]) =>
  ({step: index + 1, src, dst, message: messages[message(origin, destination, part)], lane, leaves: 0, enters: 0})));
// What goes over one lane in one step to one processor is a packet; the first of its messages stands for it.
for (const transfers of schedule) {
  const packets = new Map();
  for (const one of transfers) {
    const place = one.lane === null ? one : `${one.src},${one.dst},${one.lane}`;
    if (!packets.has(place)) packets.set(place, []);
    one.packet = packets.get(place);
    one.packet.push(one);
  }
}
const summed = data.collective === "all-reduce";
const reduces = messages.some(({partial}) => partial);

const partOf = ({part}) => data.parts > 1 ? `.${part}` : "";

function name({origin, destination, part, partial}) {
  const what = partial ? "Σ" : summed ? `Σ${origin}` : origin;
  return `${what}→${destination === null ? "all" : destination}${partOf({part})}`;
}

// What a message is told from others by: its origin; but where all have the same, or none, its destination or part.
const keyed = data.collective === "OAS" ? "destination" : data.collective === "OAB" && data.parts > 1 ? "part" : "origin";
const keyOf = one => one.partial ? one.destination : one[keyed];
const colour = key => `oklch(${[0.8, 0.68, 0.74][key % 3]} 0.14 ${Math.round(360 * key / (keyed === "part" ? data.parts : P) + 25) % 360})`;

// ---- Who holds what: for each processor a map from message number to contributions (1, but for partial sums).

function beginning() {
  const held = everybody.map(() => new Map());
  for (const {number, origin, partial} of messages)
    if (partial) for (const processor of held) processor.set(number, 1);
    else if (!summed) held[origin].set(number, 1);
  return held;
}

function advance(held, transfers) {
  // What a step moves is what was there before it, and what arrives counts only after it.
  const amounts = transfers.map(({src, message}) => held[src].get(message.number) ?? 0);
  for (const {src, message} of transfers) if (message.partial) held[src].delete(message.number);
  transfers.forEach(({dst, message}, i) => {
    const before = message.partial ? held[dst].get(message.number) ?? 0 : 0;
    if (before + amounts[i]) held[dst].set(message.number, before + amounts[i]);
    if (summed && message.partial && before + amounts[i] === P && dst === message.destination)
      held[dst].set(numbers.get(`${dst},null,${message.part}`), 1);  // the sum is complete: from now on it is a message for all
  });
}

let reached = 0, held = beginning();

function heldAfter(step) {
  if (step < reached) { reached = 0; held = beginning(); }
  while (reached < step) advance(held, schedule[reached++]);
  return held;
}

const wanted = (processor, {destination, partial}) =>
  destination === processor || (destination === null && !partial);
const finals = everybody.map(() => 0);  // how many messages a processor must hold in the end
for (const {origin, destination, partial} of messages)
  if (destination === null) everybody.forEach(processor => finals[processor]++);
  else if (!(summed && partial)) finals[destination]++;
const complete = ({partial}, count) => !partial || count === P;

function progress(processor) {
  let has = 0;
  for (const [number, count] of held[processor]) {
    const one = messages[number];
    if (wanted(processor, one) && complete(one, count) && !(summed && one.partial)) has++;
  }
  return has;
}

// ---- The drawing.

const {width, height, radius, router, side} = data;
const svg = make("svg", {viewBox: `0 0 ${width} ${height}`, role: "group",
                         "aria-label": `Drawing of ${data.network}`});
find("stage").append(svg);

function make(tag, attributes = {}, parent = null) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

function write(text, x, y, size, attributes, parent) {
  const element = make("text", {x, y: y + 0.36 * size, "font-size": size, ...attributes}, parent);
  element.textContent = text;
  return element;
}

const unit = ([x, y]) => { const length = Math.hypot(x, y) || 1; return [x / length, y / length]; };
const towards = (from, to) => unit([to[0] - from[0], to[1] - from[1]]);
const along = ([x, y], [dx, dy], by) => [x + dx * by, y + dy * by];
const right = ([dx, dy]) => [-dy, dx];  // of somebody who goes that way, y being down
const at = points => "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");

const lanesOf = new Map(data.links.map(([u, v, lanes]) => [`${u},${v}`, lanes]));
const most = Math.max(1, ...lanesOf.values());
const gap = Math.min(0.17 * radius, 24, 1.7 * router / most);  // between lanes
const stroke = Math.max(1.6, Math.min(4, 0.24 * gap));
const labelSize = Math.min(20, (side > 0.038 * width ? 0.3 : 0.4) * side);
const small = P <= 16;  // room for words on what moves

// The two ends of a lane; `sideways` moves it to the right of somebody who goes from `from` to `to`.
function lane(from, to, number, sideways = 0) {
  const [low, high] = from < to ? [from, to] : [to, from];
  const normal = right(towards(data.nodes[low], data.nodes[high]));
  const offset = (number - (lanesOf.get(`${low},${high}`) - 1) / 2) * gap + (from < to ? sideways : -sideways);
  return [from, to].map(node => along(data.nodes[node], normal, offset));
}

const networkLayer = make("g", {"aria-hidden": "true"}, svg);
const trailLayer = make("g", {"aria-hidden": "true"}, svg);
const transferLayer = make("g", {id: "lit"}, svg);
const numberLayer = make("g", {"aria-hidden": "true"}, svg);
const processorLayer = make("g", {id: "processors"}, svg);
const pillLayer = make("g", {"aria-hidden": "true"}, svg);

const wire = (d, name = "lane") => make("path", {class: name, d, "stroke-width": stroke}, networkLayer);
const lanes = data.links.flatMap(([u, v, lanes]) => range(lanes).map(number => lane(u, v, number)));
for (const ends of lanes) wire(at(ends));
data.nodes.forEach(([cx, cy]) => make("circle", {class: "node", cx, cy, r: radius}, networkLayer));
for (const [a, b] of lanes) {  // again within the nodes that they join, over their ground
  const inwards = towards(a, b);
  wire(at([a, along(a, inwards, radius)]) + at([b, along(b, inwards, -radius)]));
}
data.processors.forEach((place, processor) => wire(at([place, data.nodes[nodeOf(processor)]]), "stub"));
data.nodes.forEach(([cx, cy], node) => {
  make("circle", {class: "router", cx, cy, r: router}, networkLayer);
  // The number lies above what passes through the router; where it could not be read, there is none.
  const size = Math.min(labelSize, 0.9 * router);
  if (size < 0.9 * labelSize) return;
  make("circle", {class: "router", cx, cy, r: 0.8 * size}, numberLayer);
  write(node, cx, cy, size, {class: "router-label"}, numberLayer);
});

// A processor is a square: its number in the colour of its own messages, below it a cell for each colour.
const head = Math.min(labelSize * 1.35, 0.45 * side);
const keys = [...new Set(messages.map(keyOf))].sort((a, b) => a - b);
const cellOf = new Map(keys.map((key, index) => [key, index]));
const cells = keys.length <= 64;  // more could not be told apart: then a bar
const inset = Math.max(1, 0.04 * side), roomX = side - 2 * inset, roomY = side - head - 2 * inset;
const columns = cells ? Math.min(keys.length, Math.ceil(Math.sqrt(keys.length * roomX / roomY))) : 1;
const rows = Math.ceil((cells ? keys.length : 1) / columns);
const cellX = roomX / columns, cellY = roomY / rows;
const countSize = Math.min(0.75 * cellY, cellX / (P > 9 ? 1.3 : 0.8), 22);
const counts = cells && countSize >= 11;

const drawn = data.processors.map(([x, y], processor) => {
  const left = x - side / 2, top = y - side / 2;
  const group = make("g", {class: "processor", tabindex: 0, role: "button", "data-processor": processor},
                     processorLayer);
  make("rect", {class: "ring", x: left - 4, y: top - 4, width: side + 8, height: side + 8, rx: 8}, group);
  make("rect", {class: "box", x: left, y: top, width: side, height: side, rx: 4,
                "stroke-width": Math.max(1.5, side / 30)}, group);
  make("rect", {x: left + inset, y: top + inset, width: roomX, height: head - inset, rx: 2,
                fill: colour(processor)}, group);
  write(P > 100 ? processor : `P${processor}`, x, top + (head + inset) / 2, labelSize, {class: "label"}, group);
  const grid = range(cells ? keys.length : 1).map(index => {
    const boxX = left + inset + index % columns * cellX;
    const boxY = top + head + inset + Math.floor(index / columns) * cellY;
    const space = Math.min(1, cellX / 8, cellY / 8);
    const shape = {x: boxX + space / 2, y: boxY + space / 2, width: cellX - space, height: cellY - space};
    make("rect", {class: "empty", ...shape}, group);
    const fill = make("rect", {class: "cell", ...shape, fill: cells ? colour(keys[index]) : "var(--done)", opacity: 0,
                               ...(cells ? {"data-key": keys[index]} : {})}, group);
    const text = counts ? write("", boxX + cellX / 2, boxY + cellY / 2, countSize, {class: "count"}, group) : null;
    return {fill, text, shape};
  });
  return {group, grid};
});

function drawProcessor(processor, step, arrived) {
  const {group, grid} = drawn[processor];
  const has = progress(processor), sends = sent[processor].length, gets = received[processor].length;
  group.classList.toggle("done", finals[processor] > 0 && has === finals[processor]);
  group.classList.toggle("pinned", processor === pinned);
  group.classList.toggle("has", chosen !== null && held[processor].has(chosen.number));
  group.setAttribute("aria-label", `Processor ${processor} on node ${nodeOf(processor)}: holds ` +
    `${many(held[processor].size, "message")}, sends ${sends} and receives ${gets} in step ${step}`);
  if (!cells) {
    grid[0].fill.setAttribute("width", grid[0].shape.width * has / Math.max(1, finals[processor]));
    grid[0].fill.setAttribute("opacity", 1);
    return;
  }
  const shown = grid.map(() => ({level: 0, text: "", fresh: false}));
  for (const [number, count] of held[processor]) {
    const one = messages[number], cell = shown[cellOf.get(keyOf(one))];
    const level = one.partial ? 0.2 + 0.8 * count / P : wanted(processor, one) ? 1 : 0.35;
    if (level >= cell.level) { cell.level = level; cell.text = one.partial ? count : summed ? "Σ" : keyOf(one); }
    if (arrived.has(number)) cell.fresh = true;
  }
  shown.forEach(({level, text, fresh}, index) => {
    grid[index].fill.setAttribute("opacity", level);
    grid[index].fill.classList.toggle("fresh", fresh && counts);
    if (counts) {
      grid[index].text.textContent = text;
      grid[index].text.style.fill = level < 0.6 ? "var(--ink)" : "";
    }
  });
}

// The way of a transfer, from its sender through the routers to the edge of its receiver. What a processor sends and
// receives at once goes side by side between it and its router: `leaves` and `enters` say how far from the middle.
function way({src, dst, lane: number, leaves, enters}, sideways = 0.24 * gap) {
  const [here, there] = [src, dst].map(nodeOf);
  const straight = towards(data.processors[src], data.processors[dst]);
  const middle = here === there ? [along(data.nodes[here], right(straight), 0.3 * router)]
    : lane(here, there, number, sideways);
  const across = processor => right(towards(data.processors[processor], data.nodes[nodeOf(processor)]));
  const from = along(data.processors[src], across(src), leaves), to = along(data.processors[dst], across(dst), enters);
  // The receiver is a square: its edge is where the way enters it.
  const final = towards(middle.at(-1), to), [x, y] = data.processors[dst];
  const back = Math.min((0.5 * side + Math.sign(final[0]) * (to[0] - x)) / Math.max(1e-6, Math.abs(final[0])),
                        (0.5 * side + Math.sign(final[1]) * (to[1] - y)) / Math.max(1e-6, Math.abs(final[1])));
  return {points: [from, ...middle, along(to, final, -back)], final};
}

// Sets `leaves` and `enters` of the transfers of a step; copies of one message leave as one, and so does a packet.
function spread(processor) {
  const leaving = [...new Set(sent[processor].map(({packet}) => packet[0].message))];
  const entering = [...new Set(received[processor].map(({packet}) => packet))];
  const most = leaving.length + entering.length;
  const offset = index => (index - (most - 1) / 2) * Math.min(2.6 * stroke, 0.9 * side / most);
  for (const one of sent[processor]) one.leaves = offset(leaving.indexOf(one.packet[0].message));
  for (const one of received[processor]) one.enters = offset(leaving.length + entering.indexOf(one.packet));
}

function arrow([x, y], direction, size) {
  const across = right(direction), back = along([x, y], direction, -size);
  return at([[x, y], along(back, across, size / 2), along(back, across, -size / 2)]) + "Z";
}

function drawTransfers(transfers) {
  transferLayer.replaceChildren();
  pillLayer.replaceChildren();
  const tip = Math.max(3 * stroke, 0.1 * side);
  for (const one of transfers) {
    const {points, final} = way(one), fill = colour(keyOf(one.message)), title = sentence(one);
    const group = make("g", {class: "transfer", role: "img", "aria-label": title, "data-src": one.src,
                             "data-dst": one.dst}, transferLayer);
    group.classList.toggle("chosen", one.message === chosen);
    make("title", {}, group).textContent = title;
    make("path", {class: "touch", d: at(points)}, group);
    // An edge in the colour of the page keeps pale colours visible and neighbours apart.
    make("path", {class: "edge", d: at(points), pathLength: 1, "stroke-width": 1.5 * stroke + 1.5}, group);
    make("path", {class: "flow", d: at(points), pathLength: 1, stroke: fill, "stroke-width": 1.5 * stroke}, group);
    make("path", {class: "head", d: arrow(points.at(-1), final, tip), fill}, group);
    group.addEventListener("click", () => follow(one.message));
    if (points.length < 4) continue;
    const [, a, b] = points, direction = towards(a, b), length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    make("path", {class: "head", d: arrow(along(a, direction, length / 2 + tip), direction, 1.5 * tip), fill}, group);
    if (!small || one !== one.packet[0]) continue;
    // Nearer to the sender, so that what goes the other way has its own place; neighbouring lanes are staggered.
    const [x, y] = along(a, direction, radius + (length - 2 * radius) * (0.18 + 0.16 * (one.lane % 2)));
    const others = one.packet.length - 1, has = one.packet.some(({message}) => message === chosen);
    const text = name(has ? chosen : one.message) + (others ? ` +${others}` : "");
    const size = 12 * scale(), wide = size * (0.62 * text.length + 0.6);
    const pill = make("g", {class: "pill"}, pillLayer);
    pill.style.opacity = chosen && !has ? 0.13 : 1;
    make("rect", {x: x - wide / 2, y: y - 0.7 * size, width: wide, height: 1.4 * size, rx: 0.5 * size, fill}, pill);
    write(text, x, y, size, {}, pill);
  }
}

function sentence({src, dst, message, lane, step}) {
  const over = lane === null ? `within node ${nodeOf(src)}`
    : `from node ${nodeOf(src)} to node ${nodeOf(dst)} over lane ${lane}`;
  return `Step ${step}: processor ${src} sends ${name(message)} to processor ${dst}, ${over}`;
}

// ---- What stands beside the drawing.

const element = (tag, text = "", className = "") =>
  Object.assign(document.createElement(tag), {textContent: text, className});

function chip(one, {count = null, fresh = false} = {}) {
  const text = one.partial && count !== null ? `${name(one)}: ${count} of ${P}` : name(one);
  const made = element("span", text, fresh ? "chip new" : "chip");
  made.style.background = colour(keyOf(one));
  made.dataset.message = `[${one.origin}, ${one.destination}${one.part ? `, ${one.part}` : ""}]`;
  if (count !== null) made.dataset.count = count;
  return made;
}

function fillTable(transfers) {
  const body = document.querySelector("#transfers tbody");
  body.replaceChildren(...transfers.map(one => {
    const row = element("tr", "", one.message === chosen ? "chosen" : "");
    const link = one.lane === null ? "inside" : `${nodeOf(one.src)}→${nodeOf(one.dst)}`;
    const cells = ["", `P${one.src}`, `P${one.dst}`, link, one.lane ?? ""].map(text => element("td", text));
    cells[0].append(chip(one.message));
    row.append(...cells);
    row.addEventListener("click", () => follow(one.message));
    return row;
  }));
}

function showProcessor() {
  const processor = hovered ?? pinned ?? 0;
  find("processor").value = processor;
  const list = (title, chips) => {
    const all = element("dd");
    all.append(...(chips.length ? chips : [element("span", "nothing")]));
    return [element("dt", title), all];
  };
  const withEnd = (one, end, word) => {
    const all = element("span", ` ${word} P${end}`);
    all.prepend(chip(one.message));
    return all;
  };
  const when = now ? ` in step ${now}` : "";
  const order = [...held[processor]].map(([number, count]) => [messages[number], count])
    .sort(([a], [b]) => (a.origin ?? -1) - (b.origin ?? -1) || (a.destination ?? -1) - (b.destination ?? -1) || a.part - b.part);
  find("detail").replaceChildren(
    ...list(`sends${when}`, sent[processor].map(one => withEnd(one, one.dst, "to"))),
    ...list(`receives${when}`, received[processor].map(one => withEnd(one, one.src, "from"))),
    ...list(`holds ${now ? `after step ${now}` : "at the start"} (${order.length}; ` +
            `${progress(processor)} of the ${finals[processor]} that it needs)`,
            order.map(([one, count]) => chip(one, {count, fresh: arrivals[processor].has(one.number)}))));
}

function showFollowed() {
  trailLayer.replaceChildren();
  svg.classList.toggle("following", chosen !== null);
  find("way").replaceChildren();
  if (chosen === null) {
    find("followed").textContent = "Choose one here, or click an arrow or a row.";
    return;
  }
  const holders = everybody.filter(processor => held[processor].has(chosen.number));
  const listed = holders.length > 12 ? "" : `: ${holders.map(processor => `P${processor}`).join(", ")}`;
  find("followed").textContent = !holders.length ? "It is not complete yet."
    : `${chosen.partial ? "Parts are" : "It is"} on ${many(holders.length, "processor")}${listed}.`;
  schedule.forEach((transfers, index) => {
    const mine = transfers.filter(one => one.message === chosen);
    if (!mine.length) return;
    for (const one of index + 1 < now ? mine : [])
      make("path", {class: "trail", d: at(way(one, 0).points), "stroke-width": stroke}, trailLayer);
    const item = element("li", "", index + 1 === now ? "now" : index + 1 > now ? "later" : "");
    item.append(element("b", `step ${index + 1}: `), mine.map(({src, dst}) => `P${src}→P${dst}`).join(", "));
    find("way").append(item);
  });
}

// ---- The state of the page: the step, what is followed, which processor is looked at, whether it plays.

let now = 0, chosen = null, pinned = null, hovered = null, timer = null;
let sent, received, arrivals;

function render() {
  const transfers = now ? schedule[now - 1] : [];
  heldAfter(now);
  sent = everybody.map(() => []);
  received = everybody.map(() => []);
  arrivals = everybody.map(() => new Set());
  for (const one of transfers) {
    sent[one.src].push(one);
    received[one.dst].push(one);
    arrivals[one.dst].add(one.message.number);
  }
  everybody.forEach(spread);
  everybody.forEach(processor => drawProcessor(processor, now, arrivals[processor]));
  drawTransfers(transfers);
  fillTable(transfers);
  showFollowed();
  showProcessor();
  const receivers = everybody.filter(processor => finals[processor]);
  const ready = receivers.filter(processor => progress(processor) === finals[processor]);
  const moved = now ? `Step ${now} of ${steps}: ${many(transfers.length, "transfer")}.` : "At the start.";
  find("news").textContent = `${moved} Complete: ${ready.length} of ${many(receivers.length, "processor")}.`;
  find("step").textContent = `step ${now} of ${steps}`;
  find("slider").value = now;
  find("slider").setAttribute("aria-valuetext", `step ${now} of ${steps}`);
  find("first").disabled = find("back").disabled = now === 0;
  find("last").disabled = find("forward").disabled = now === steps;
}

function go(step) {
  const target = Math.max(0, Math.min(steps, step));
  // Forward is seen to move; thousands of arrows at once would only hold the reader up.
  svg.classList.toggle("moving", target === now + 1 && schedule[now].length <= 500);
  now = target;
  render();
  // Not one entry of the browser's history for each step.
  history.replaceState(null, "", `#step=${now}`);
}

const beat = () => 1400 / Number(find("speed").value);

function play() {
  document.body.classList.add("playing");
  find("play").setAttribute("aria-label", "Pause");
  tick();
}

function tick() {
  go(now === steps ? 0 : now + 1);
  if (now === steps) pause();
  else timer = setTimeout(tick, beat());
}

function pause() {
  clearTimeout(timer);
  document.body.classList.remove("playing");
  find("play").setAttribute("aria-label", "Play");
  timer = null;
}

const walk = step => { pause(); go(step); };
const controls = {
  first: () => walk(0), back: () => walk(now - 1), play: () => timer === null ? play() : pause(),
  forward: () => walk(now + 1), last: () => walk(steps),
};
for (const [id, action] of Object.entries(controls)) {
  find(id).addEventListener("click", action);
  // A click with the mouse leaves the focus where it is, so that space still plays.
  find(id).addEventListener("mousedown", event => event.preventDefault());
}
find("slider").max = steps;
find("slider").addEventListener("input", event => walk(Number(event.target.value)));
find("speed").addEventListener("change", () => svg.style.setProperty("--beat", `${0.55 * beat()}ms`));

document.addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, button, #zoom")) return;
  const keys = {" ": "play", ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last"};
  const id = keys[event.key];
  if (!id) return;
  event.preventDefault();
  controls[id]();
});

// The processors: hovering looks, a click stays.
function pin(processor) {
  pinned = processor;
  drawn.forEach(({group}, index) => group.classList.toggle("pinned", index === pinned));
  showProcessor();
}
drawn.forEach(({group}, processor) => {
  const look = () => { hovered = processor; showProcessor(); };
  const leave = () => { hovered = null; showProcessor(); };
  group.addEventListener("mouseenter", look);
  group.addEventListener("mouseleave", leave);
  group.addEventListener("focus", look);
  group.addEventListener("blur", leave);
  const choose = () => pin(processor === pinned ? null : processor);
  group.addEventListener("click", choose);
  group.addEventListener("keydown", event => { if (event.key === "Enter") choose(); });
});
find("processor").append(...everybody.map(processor => new Option(`P${processor}`, processor)));
find("processor").addEventListener("change", event => { hovered = null; pin(Number(event.target.value)); });

// Following a message: its origin, then those of its destinations that there are.
const ending = (value, none) => value === null ? none : `P${value}`;
const origins = [...new Set(messages.map(({origin}) => origin))];
find("origin").append(new Option("–", "-"), ...origins.map(origin =>
  new Option(origin === null ? "Σ (partial sums)" : summed ? `Σ of P${origin}` : `P${origin}`, String(origin))));

function fillDestinations() {
  const mine = messages.filter(({origin}) => String(origin) === find("origin").value);
  find("destination").replaceChildren(...(mine.length ? mine : [null]).map(one =>
    one ? new Option(`${ending(one.destination, "all")}${partOf(one)}`, one.number) : new Option("–", "-")));
}

function follow(one) {
  chosen = one === chosen ? null : one;
  find("origin").value = chosen ? String(chosen.origin) : "-";
  fillDestinations();
  if (chosen) find("destination").value = chosen.number;
  svg.classList.remove("moving");
  render();
}

find("origin").addEventListener("change", () => {
  fillDestinations();
  chosen = null;
  follow(messages[find("destination").value] ?? null);
});
find("destination").addEventListener("change", event => follow(messages[event.target.value]));

// Units of the drawing in a pixel. The drawing fills the stage, but labels stay readable: then it scrolls.
const scale = () => width / Number(svg.dataset.width);

function fit() {
  const stage = find("stage"), zoom = Number(find("zoom").value);
  const fitting = Math.min((stage.clientWidth || 800) / width, (stage.clientHeight || 600) / height);
  const factor = Math.max(fitting, 9.2 / labelSize) * zoom;
  svg.dataset.width = factor * width;
  svg.setAttribute("width", factor * width);
  svg.setAttribute("height", factor * height);
  svg.style.margin = `${Math.max(0, (stage.clientHeight - factor * height) / 2)}px ` +
    `${Math.max(0, (stage.clientWidth - factor * width) / 2)}px`;
}

function legend() {
  const by = reduces ? "the processor that a sum is for" : `the ${keyed} of a message`;
  const parts = [["", "circle: router of a node"], ["", `colour: ${by}`]];
  if (cells) {
    parts.push([colour(0), reduces ? "complete sum" : "held, and needed here"]);
    parts.push([`color-mix(in srgb, ${colour(0)} 35%, var(--empty))`,
                reduces ? `partial sum${counts ? " and its contributions" : ""}` : "held, for others"]);
    parts.push(["var(--empty)", "not held"]);
  } else parts.push(["var(--done)", "share of the messages needed that is held"]);
  find("legend").replaceChildren(...parts.map(([fill, text]) => {
    const part = element("span");
    if (fill) part.append(Object.assign(element("i"), {style: `background: ${fill}`}));
    part.append(text);
    return part;
  }));
}

function fromHash() {
  const asked = /^#step=(\d+)$/.exec(location.hash);
  if (asked && Number(asked[1]) !== now) walk(Number(asked[1]));
}

const total = schedule.reduce((sum, transfers) => sum + transfers.length, 0);
find("about").textContent = [`${data.collective}${data.root === null ? "" : `, root P${data.root}`}`,
  `router model ${data.ports}`, many(P, "processor"), many(data.nodes.length, "node"), many(steps, "step"),
  many(total, "transfer")].join(" · ");
legend();
fillDestinations();
svg.style.setProperty("--beat", `${0.55 * beat()}ms`);
fit();
render();
fromHash();
window.addEventListener("hashchange", fromHash);
find("zoom").addEventListener("input", fit);
new ResizeObserver(fit).observe(find("stage"));
})();
