import { partOf } from '../model/sold.ts';

/** What one order has of a product, in thousandths of the unit of the stock. */
export interface Claim {
  quantityMilli: number;
  /** What one piece of its size contains: it gets whole pieces. Absent of what is sold in the unit. */
  contentMilli?: number | undefined;
}

/** What there is to share, and the steps in which it is handed out, in thousandths of the unit. */
interface Supply {
  availableMilli: number;
  stepMilli: number;
}

/** Whether claims are of sizes, at least some of them. */
export const isInSizes = (claims: readonly Claim[]): boolean =>
  claims.some(({ contentMilli }) => contentMilli !== undefined);

/** Returns what a claim gets at once: a piece or, beside sizes, as whole a part of the unit as its order has. */
const pieceOf = ({ contentMilli, quantityMilli }: Claim): number =>
  contentMilli ?? partOf([quantityMilli]);

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

/**
 * Shares what is sold in sizes in proportion to what was ordered: each claim gets the whole pieces in its fair share,
 * and what is left goes, by the largest remainder, to claims whose next piece fits, for as long as one does. Of equal
 * remainders the first claim comes first.
 */
export function sharePieces(claims: readonly Claim[], availableMilli: number): number[] {
  const ordered = sum(claims);
  if (availableMilli >= ordered) return claims.map(({ quantityMilli }) => quantityMilli);
  const quotas = claims.map((claim, index) => {
    const { quantityMilli } = claim;
    const piece = pieceOf(claim);
    const product = BigInt(quantityMilli) * BigInt(availableMilli);
    const divisor = BigInt(ordered) * BigInt(piece);
    const rest = product % divisor;
    return { index, quantityMilli, piece, share: Number(product / divisor) * piece, rest };
  });
  let left = availableMilli - quotas.reduce((total, { share }) => total + share, 0);
  const byRest = [...quotas].sort((one, other) =>
    one.rest === other.rest ? one.index - other.index : one.rest > other.rest ? -1 : 1,
  );
  const piecesTo = (quota: (typeof quotas)[number]) =>
    Math.floor(Math.min(left, quota.quantityMilli - quota.share) / quota.piece);
  for (;;) {
    const open = byRest.filter((quota) => piecesTo(quota) > 0);
    if (open.length === 0) return quotas.map(({ share }) => share);
    // As many rounds at once as all of them have room for, and one where what is left is not enough for all.
    const round = open.reduce((total, { piece }) => total + piece, 0);
    const rounds = open.reduce(
      (least, quota) => Math.min(least, piecesTo(quota)),
      Math.max(1, Math.floor(left / round)),
    );
    for (const quota of open) {
      const more = Math.min(rounds, piecesTo(quota)) * quota.piece;
      quota.share += more;
      left -= more;
    }
  }
}

/**
 * Gives each claim in turn all it ordered, for as long as there is something, down to the step or, where that is null, to
 * whole pieces.
 */
export function shareInTurn(
  claims: readonly Claim[],
  { availableMilli, stepMilli }: { availableMilli: number; stepMilli: number | null },
): number[] {
  let left = availableMilli;
  return claims.map((claim) => {
    const { quantityMilli } = claim;
    const piece = stepMilli ?? pieceOf(claim);
    const share = quantityMilli <= left ? quantityMilli : floorTo(left, piece);
    left -= share;
    return share;
  });
}
