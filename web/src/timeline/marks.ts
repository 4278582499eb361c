// Marks on the bar: each family of events has its own shape beside its own colour.

import { svg } from "../shell/dom";
import type { Cluster, Family } from "./instants";

const SHAPES: Readonly<Record<Family, string>> = {
  impact: "M0-6.5 6 0 0 6.5-6 0z",
  close: "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0",
  open: "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0M-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0",
  slip: "M-5.5 4.5 0-5.5 5.5 4.5z",
  zeno: "M0-7 1.8-2 7-2 2.8 1.2 4.4 6.2 0 3.1-4.4 6.2-2.8 1.2-7-2-1.8-2z",
  mode: "M-4.5-4.5h9v9h-9z",
  event: "M-1.2-7h2.4v14h-2.4z",
};

/** A single instant is a shape; many close together are a bar as long as they are, with the shape at its start. */
export function markOf(cluster: Cluster, y: number): SVGElement[] {
  const shape = svg("path", {
    d: SHAPES[cluster.family],
    transform: `translate(${(cluster.x0 + (cluster.count > 1 ? cluster.x1 : cluster.x0)) / 2} ${y})`,
  });
  if (cluster.count === 1) return [shape];
  const parts: SVGElement[] = [
    svg("rect", { class: "dv-many", x: cluster.x0 - 5, y: y - 8, width: cluster.x1 - cluster.x0 + 10, height: 16, rx: 3 }),
    shape,
  ];
  if (cluster.x1 - cluster.x0 > 4)
    parts.push(svg("text", { class: "dv-count", x: (cluster.x0 + cluster.x1) / 2, y: y - 11 }, `${cluster.count}`));
  return parts;
}

/** The shape alone, for lists. */
export function markIcon(family: Family): SVGSVGElement {
  return svg(
    "svg",
    { class: `dv-markicon dv-${family}`, viewBox: "-8 -8 16 16", "aria-hidden": "true" },
    svg("path", { d: SHAPES[family] }),
  );
}
