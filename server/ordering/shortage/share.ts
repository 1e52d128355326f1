/** What one order has of a product, in thousandths of the unit. */
export interface Claim {
  quantityMilli: number;
}

/** What there is to share, and the steps in which it is handed out, in thousandths of the unit. */
interface Supply {
  availableMilli: number;
  stepMilli: number;
}

const sum = (claims: readonly Claim[]): number =>
  claims.reduce((total, { quantityMilli }) => total + quantityMilli, 0);

const floorTo = (milli: number, stepMilli: number): number =>
  Math.floor(milli / stepMilli) * stepMilli;

/**
 * Shares in proportion to what was ordered, by the largest remainder: the shares are whole steps, nobody gets
 * more than they ordered, and together they are all that is there, down to the step. Of equal remainders the
 * first claim comes first.
 */
export function shareFairly(
  claims: readonly Claim[],
  { availableMilli, stepMilli }: Supply,
): number[] {
  const ordered = sum(claims);
  if (availableMilli >= ordered) return claims.map(({ quantityMilli }) => quantityMilli);
  const available = floorTo(availableMilli, stepMilli);
  // In big integers, because the product of two large quantities is no exact number.
  const quotas = claims.map(({ quantityMilli }, index) => {
    const product = BigInt(quantityMilli) * BigInt(available);
    const divisor = BigInt(ordered) * BigInt(stepMilli);
    return {
      index,
      share: Number(product / divisor) * stepMilli,
      rest: product % divisor,
    };
  });
  let left = available - quotas.reduce((total, { share }) => total + share, 0);
  const byRest = [...quotas].sort((one, other) =>
    one.rest === other.rest ? one.index - other.index : one.rest > other.rest ? -1 : 1,
  );
  // More rounds only where a claim is off the steps, and so takes no whole one.
  while (left > 0) {
    const before = left;
    for (const quota of byRest) {
      const room = (claims[quota.index]?.quantityMilli ?? 0) - quota.share;
      const more = Math.min(stepMilli, room, left);
      quota.share += more;
      left -= more;
    }
    if (left === before) break;
  }
  return quotas.map(({ share }) => share);
}

/** Gives each claim in turn all it ordered, for as long as there is something, down to the step. */
export function shareInTurn(
  claims: readonly Claim[],
  { availableMilli, stepMilli }: Supply,
): number[] {
  let left = availableMilli;
  return claims.map(({ quantityMilli }) => {
    const share = quantityMilli <= left ? quantityMilli : floorTo(left, stepMilli);
    left -= share;
    return share;
  });
}
