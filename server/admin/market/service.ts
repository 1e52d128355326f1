// What other features use of the market's settings.

export { lockMarket, presentMarket } from '../../platform/market/settings.ts';
export { MARKET_TRANSACTION_MS } from './begin.ts';
export { isCurrencyInUse } from './currency.ts';
export { changeTimeZone } from './time-zone.ts';
