import { environment } from "../api/settings.js";

/** The logo, the name, and the label that distinguishes this console from others. */
export function Brand() {
  return (
    <span class="mark">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <rect width="20" height="20" rx="5.5" />
        <path d="M5 6.2h10v6.6H9.4L6.6 15v-2.2H5zM7.6 8.6h4.8M7.6 10.6h3" />
      </svg>
      <span>im-admin</span>
      {environment !== "" && <bdi class="environment">{environment}</bdi>}
    </span>
  );
}
