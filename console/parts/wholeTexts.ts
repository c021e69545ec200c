import { type ComponentChildren, createElement, Fragment, options, type VNode } from "preact";

/** What data and code stand in, whose words mean nothing to a translator. */
const ofData = new Set(["bdi", "code", "pre"]);

/**
 * Puts each text in an element of its own, which is replaced with its text. Translators of browsers replace the text nodes
 * of a page, and what the page would write into those that are gone would never be seen.
 */
export function keepTextsWhole(): void {
  const before = options.vnode;
  options.vnode = (node: VNode) => {
    const { type, props } = node as VNode<{ children?: ComponentChildren; translate?: boolean }>;
    if (type === Fragment || (typeof type === "string" && type !== tag)) {
      if (ofData.has(String(type))) props.translate = false;
      if (props.children !== undefined) props.children = whole(props.children, 0);
    }
    before?.(node);
  };
}

const tag = "im-text";

function whole(child: ComponentChildren, index: number): ComponentChildren {
  if (Array.isArray(child)) return child.map(whole);
  const isText = typeof child === "number" || (typeof child === "string" && child.trim() !== "");
  return isText ? createElement(tag, { key: `${index} ${child}` }, child) : child;
}
