// Money is integer minor units inside and a JSON number with two decimals on the wire.

/** An amount of the wire as integer minor units. */
export const toMinor = (amount: number): number => Math.round(amount * 100);

/** Integer minor units as an amount of the wire. */
export const fromMinor = (minor: number | bigint): number => Number(minor) / 100;

/** Whether the number is exactly a count of minor units, as `0.3` is and `0.1 + 0.2` or `1e-9` is not. */
export const hasTwoDecimals = (amount: number): boolean => fromMinor(toMinor(amount)) === amount;

/** What a line costs in minor units. `price` is an amount of the wire. */
export const lineTotalMinor = (line: { price: number; quantity: number }): number =>
  toMinor(line.price) * line.quantity;

/** What lines cost together in minor units. */
export const totalMinor = (lines: readonly { price: number; quantity: number }[]): number =>
  lines.reduce((sum, line) => sum + lineTotalMinor(line), 0);

const decimals = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** An amount of the wire as people read it, in sentences, mails and on screens: '₨1,200.00'. */
export const formatMoney = (amount: number): string =>
  `${amount < 0 ? '-' : ''}₨${decimals.format(Math.abs(amount))}`;
