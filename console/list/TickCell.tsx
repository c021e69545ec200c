interface TickCellProps {
  role: "gridcell" | "columnheader";
  label: string;
  isTicked: boolean;
  /** Whether some of the rows that it stands for are ticked. */
  isMixed?: boolean;
  isDisabled: boolean;
  onTick(isRange: boolean): void;
}

/** The box that ticks a row, or all of them. */
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
