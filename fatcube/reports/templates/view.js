// ---- The state of the page: the step, the message followed, the processor shown, and the timer while it plays.

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
  // A step forward is animated, unless it has too many arrows.
  svg.classList.toggle("moving", target === now + 1 && schedule[now].length <= 500);
  now = target;
  render();
  // The browser's history gets no entry for each step.
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
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest("select, button, #zoom")) return;
  const keys = {" ": "play", ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last"};
  const id = keys[event.key];
  if (!id) return;
  event.preventDefault();
  controls[id]();
});

// Hovering over a processor shows it, and a click keeps it shown.
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

// Following a message: its origin, then its destinations, parts included.
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

// Units of the drawing per pixel.
const scale = () => width / Number(svg.dataset.width);

// ---- Zoom 1 fits the whole drawing into the stage. If labels would be too small to read then, it begins larger and scrolls, but
// not on a telephone, where the whole network is worth more.

const NARROW = 600;  // pixels
const stage = find("stage"), zoom = find("zoom");
const fitting = () => Math.min((stage.clientWidth || 800) / width, (stage.clientHeight || 600) / height);
const readable = () => P > 256 || stage.clientWidth < NARROW ? 1 : Math.max(1, 9.2 / labelSize / fitting());
let chose = false;  // whether the reader has chosen a zoom

function fit() {
  if (!chose) zoom.value = readable();
  const factor = fitting() * Number(zoom.value);
  svg.dataset.width = factor * width;
  svg.setAttribute("width", factor * width);
  svg.setAttribute("height", factor * height);
  svg.style.margin = `${Math.max(0, (stage.clientHeight - factor * height) / 2)}px ` +
    `${Math.max(0, (stage.clientWidth - factor * width) / 2)}px`;
}

// Zoom to a value; the point of the drawing at (x, y) of the stage, or in its middle, stays where it is.
function zoomTo(value, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
  const frame = () => svg.getBoundingClientRect(), around = stage.getBoundingClientRect();
  const place = frame(), part = [(around.left + x - place.left) / place.width, (around.top + y - place.top) / place.height];
  chose = true;
  zoom.value = value;
  fit();
  const after = frame();
  stage.scrollBy(after.left + part[0] * after.width - around.left - x, after.top + part[1] * after.height - around.top - y);
  render();  // Labels of transfers have a size of their own.
}

const zooms = {
  "zoom-in": () => zoomTo(1.25 * zoom.value), "zoom-out": () => zoomTo(0.8 * zoom.value), "zoom-fit": () => zoomTo(1),
};
for (const [id, action] of Object.entries(zooms)) {
  find(id).addEventListener("click", action);
  find(id).addEventListener("mousedown", event => event.preventDefault());
}
stage.addEventListener("wheel", event => {
  if (!event.ctrlKey) return;  // otherwise it scrolls
  event.preventDefault();
  const {left, top} = stage.getBoundingClientRect();
  zoomTo(zoom.value * Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
}, {passive: false});

// The drawing is moved by dragging it; what was dragged is not clicked.
let grip = null;
stage.addEventListener("pointerdown", event => {
  if (event.button === 0 && event.pointerType === "mouse")
    grip = {x: event.clientX, y: event.clientY, left: stage.scrollLeft, top: stage.scrollTop, moved: false};
});
window.addEventListener("pointermove", event => {
  if (!grip) return;
  const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
  if (Math.hypot(dx, dy) > 4) grip.moved = true;
  if (grip.moved) stage.scrollTo(grip.left - dx, grip.top - dy);
});
window.addEventListener("pointerup", () => setTimeout(() => { grip = null; }));
stage.addEventListener("click", event => { if (grip?.moved) event.stopPropagation(); }, {capture: true});

document.addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input")) return;
  const far = 0.2 * Math.min(stage.clientWidth, stage.clientHeight);
  const moves = {ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far]};
  const id = {"+": "zoom-in", "=": "zoom-in", "-": "zoom-out", "0": "zoom-fit"}[event.key];
  if (id) zooms[id]();
  else if (event.shiftKey && moves[event.key]) stage.scrollBy(...moves[event.key]);
  else return;
  event.preventDefault();
});

function legend() {
  const by = reduces ? "the processor that a sum is for" : `the ${keyed} of a message`;
  const parts = [["", "circle: router of a node"], ["", `colour: ${by}`]];
  if (cells) {
    parts.push([colour(0), reduces ? "complete sum" : "held, and needed here"]);
    parts.push([`color-mix(in srgb, ${colour(0)} 35%, var(--empty))`,
                reduces ? `partial sum${counts ? " and its contributions" : ""}` : "held, for others"]);
    parts.push(["var(--empty)", "not held"]);
  } else parts.push(["var(--done)", "share of the messages needed that is held"]);
  if (data.halfDuplex) parts.push(["", "lozenge: half-duplex lane, on which one direction at a time is in use"]);
  if (lines.some(({ways}) => ways.length === 1)) parts.push(["", "arrow on a lane: its one direction"]);
  if (lines.some(({name}) => name !== "lane") || failedProcessors.size) parts.push(["", "dashed, with a cross: failed"]);
  if (lines.some(({name}) => name === "lane one-left")) parts.push(["", "dashed, with an arrow: the direction that is left"]);
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
find("about").textContent = [`${data.collective}${data.root === null ? "" : `, root P${data.root}`}${data.among && ` ${data.among}`}`,
  `router model ${data.ports}`, ...(data.model ? [data.model] : []), many(P, "processor"),
  many(data.nodes.length, "node"), many(steps, "step"), many(total, "transfer")].join(" · ");
legend();
fillDestinations();
svg.style.setProperty("--beat", `${0.55 * beat()}ms`);
fit();
render();
fromHash();
window.addEventListener("hashchange", fromHash);
zoom.addEventListener("input", () => { zoomTo(zoom.value); });
new ResizeObserver(fit).observe(find("stage"));
