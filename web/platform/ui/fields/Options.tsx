/** What can be chosen in a select: a value of each, and how it is shown. */
export const Options = ({ of }: { of: readonly (readonly [string | number, string])[] }) =>
  of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
