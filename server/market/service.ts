// What other features use of the market's settings.
export { MARKET_TRANSACTION_MS } from './begin.ts';
export { isCurrencyInUse } from './currency.ts';
export { lockMarket, presentMarket } from './settings.ts';
export { changeTimeZone } from './time-zone.ts';
