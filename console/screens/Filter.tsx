interface FilterProps {
  label: string;
  options: readonly string[];
  /** The index of the option that is chosen. */
  value: number;
  onChoose(value: number): void;
}

export function Filter({ label, options, value, onChoose }: FilterProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}>
      {options.map((option, index) => (
        <option key={option} value={index}>
          {option}
        </option>
      ))}
    </select>
  );
}
