import { theMarket } from '#contract/platform/market/constants';
import { toMinor } from '#contract/platform/money/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { unavailable } from '../../platform/http/errors.ts';

/**
 * Returns the price of a new product in minor units, and keeps the currency as it is until the transaction ends. New
 * products do not wait for each other, nor for a change of other settings.
 * @throws 503 while this process does not know yet of a currency with other decimals, by which the price would be wrong
 */
export async function firstPriceMinor(tx: Transaction, price: number): Promise<number> {
  const [market] = await tx.$queryRaw<{ decimals: number }[]>`
    SELECT currency_decimals AS decimals FROM market_settings WHERE id = 1 FOR KEY SHARE`;
  if (market?.decimals !== theMarket().currency.decimals) throw unavailable();
  return toMinor(price);
}
