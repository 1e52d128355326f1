import { theMarket } from '#contract/platform/market/constants';
import { type Env, senderAddress } from './env.ts';

/** Returns the address at which people reach whoever runs the market: its contact, else the sender of its mails. */
export const contactOf = (env: Pick<Env, 'MAIL_FROM'>): string =>
  theMarket().contact.email || senderAddress(env);
