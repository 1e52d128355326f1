import type { Env } from './env.ts';

/** Returns the address at which people reach whoever runs the market. */
export const contactOf = ({ MAIL_FROM }: Pick<Env, 'MAIL_FROM'>): string =>
  /<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
