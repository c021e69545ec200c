interface TickCellProps {
  role: "gridcell" | "columnheader";
  label: string;
  isTicked: boolean;
  /** Whether some rows are ticked, and others are not. */
  isMixed?: boolean;
  isDisabled: boolean;
  onTick(isRange: boolean): void;
}

/** The checkbox for a row, or for all rows. */
export function TickCell({ role, label, isTicked, isMixed = false, isDisabled, onTick }: TickCellProps) {
  return (
    <span role={role} class="tick-cell">
      <label>
        <input
          type="checkbox"
          // The grid has the focus.
          tabIndex={-1}
          aria-label={label}
          checked={isTicked}
          indeterminate={isMixed}
          disabled={isDisabled}
          onClick={(event) => onTick(event.shiftKey)}
        />
      </label>
    </span>
  );
}
