/** The paths of each icon, on a grid of 16 by 16. */
const paths = {
  group:
    "M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-4.5 5.5c0-2.2 2-3.5 4.5-3.5s4.5 1.3 4.5 3.5M10.5 3.2a2.4 2.4 0 0 1 0 4.6m1.7 2.4c1.4.5 2.3 1.6 2.3 3.3",
  user: "M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8Zm-5 5.5c0-2.3 2.2-3.7 5-3.7s5 1.4 5 3.7",
  bell: "M8 2a4 4 0 0 0-4 4v2.5L2.8 11h10.4L12 8.5V6a4 4 0 0 0-4-4ZM6.5 13a1.6 1.6 0 0 0 3 0",
  sliders: "M2 4.5h6m4 0h2M2 11.5h2m4 0h6M10 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm-4 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9v3l2 1.5",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14",
  pin: "M5 2.5h6M6 2.5v4L4 9h8l-2-2.5v-4M8 9v5",
  empty: "M2 9.5 4 3h8l2 6.5v3.5H2V9.5Zm0 0h3.5l1 1.5h3l1-1.5H14",
};

/** An icon next to a text that says the same. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
