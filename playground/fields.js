// Form fields from descriptions: { name, label, kind, default, min, max, values }.

export function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function button(label, onClick) {
  const made = element("button", { type: "button" }, [label]);
  made.addEventListener("click", onClick);
  return made;
}

/** A field; `onChange` is told its new value, `undefined` where it is empty. */
export function field(prefix, spec, onChange = () => {}) {
  const id = `${prefix}-${spec.name}`;
  const label = element("label", { for: id }, [spec.label]);
  const common = { id, name: spec.name, "aria-describedby": `${id}-fault` };
  const fault = element("p", { class: "fault", id: `${id}-fault` });
  let input;
  if (spec.kind === "boolean") {
    input = element("input", { ...common, type: "checkbox" });
    return {
      input,
      spec,
      node: wrap("check", [input, label, fault]),
      fault,
      ...access(input, spec, onChange),
    };
  }
  if (spec.kind === "choice") {
    input = element(
      "select",
      common,
      spec.values.map((value) => element("option", { value }, [value])),
    );
  } else {
    const isNumber = spec.kind === undefined || spec.kind === "integer";
    const type = isNumber ? "number" : spec.kind;
    input = element("input", { ...common, type, autocomplete: "off", spellcheck: "false" });
    if (isNumber) input.inputMode = "numeric";
    for (const bound of ["min", "max"]) if (spec[bound] !== undefined) input[bound] = spec[bound];
    if (spec.placeholder) input.placeholder = spec.placeholder;
  }
  return { input, spec, node: wrap("field", [label, input, fault]), fault, ...access(input, spec, onChange) };
}

const wrap = (kind, children) => element("div", { class: kind }, children);

function access(input, spec, onChange) {
  const get = () => {
    if (spec.kind === "boolean") return input.checked;
    if (input.value === "") return undefined;
    return input.type === "number" ? Number(input.value) : input.value;
  };
  const set = (value) => {
    const shown = value ?? spec.default;
    if (spec.kind === "boolean") input.checked = shown === true;
    else if (input !== document.activeElement || String(get()) !== String(shown)) input.value = shown ?? "";
  };
  const complain = (text) => {
    const fault = document.getElementById(`${input.id}-fault`);
    if (fault) fault.textContent = text ?? "";
    if (text) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  input.addEventListener(spec.kind === "integer" || spec.kind === undefined ? "input" : "change", () =>
    onChange(get()),
  );
  set(undefined);
  return { get, set, complain };
}
