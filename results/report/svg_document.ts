// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// As much of a browser's document as Plot needs to draw: a tree of SVG elements that is text in the end.
const svgNamespace = "http://www.w3.org/2000/svg";

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

class SvgStyle {
  private readonly values = new Map<string, string>();
  setProperty(name: string, value: unknown): void {
    this.values.set(name, String(value));
  }
  removeProperty(name: string): void {
    this.values.delete(name);
  }
  toString(): string {
    return [...this.values].map(([name, value]) => `${name}:${value}`).join(";");
  }
}

/** `element.style.fontSize = ...` sets the property font-size. */
function styleOf(): SvgStyle {
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return new Proxy(new SvgStyle(), {
    get: (style, name) => {
      const member = Reflect.get(style, name);
      return typeof member === "function" ? member.bind(style) : member;
    },
    set: (style, name, value) => {
      style.setProperty(kebab(String(name)), value);
      return true;
    },
  });
}

type SvgNode = SvgElement | string;

export class SvgElement {
  readonly namespaceURI = svgNamespace;
  readonly style = styleOf();
  parentNode: SvgElement | null = null;
  private readonly attributes = new Map<string, string>();
  private children: SvgNode[] = [];

  constructor(readonly ownerDocument: SvgDocument, readonly tagName: string) {}

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
  }
  setAttributeNS(_: string, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
  set textContent(text: string) {
    this.children = [String(text)];
  }
  appendChild<Node extends SvgNode>(child: Node): Node {
    return this.insertBefore(child, null);
  }
  insertBefore<Node extends SvgNode>(child: Node, next: SvgElement | null): Node {
    const at = next ? this.children.indexOf(next) : this.children.length;
    this.children.splice(at, 0, child);
    if (child instanceof SvgElement) child.parentNode = this;
    return child;
  }
  append(...nodes: SvgNode[]): void {
    for (const node of nodes) this.appendChild(node);
  }
  /** A file has no pointer: tips stay empty. */
  addEventListener(): void {}
  dispatchEvent(): void {}

  toString(): string {
    const style = String(this.style);
    const attributes = [...this.attributes, ...(style ? [["style", style]] : [])];
    const head = [this.tagName, ...attributes.map(([name, value]) => `${name}="${escaped(value)}"`)].join(" ");
    const body = this.children.map((child) => (child instanceof SvgElement ? String(child) : escaped(child))).join("");
    return body ? `<${head}>${body}</${this.tagName}>` : `<${head}/>`;
  }
}

export class SvgDocument {
  readonly defaultView = { Event };
  readonly documentElement: SvgElement = new SvgElement(this, "svg");
  createElementNS(_: string, name: string): SvgElement {
    return new SvgElement(this, name);
  }
  createElement(name: string): SvgElement {
    return new SvgElement(this, name);
  }
}
