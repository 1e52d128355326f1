import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestMail } from '#contract/admin/health/health';
import { theMarket } from '#contract/platform/market/constants';
import { t } from '#contract/platform/text/constants/texts';
import type { Platform } from '../../platform/http/platform.ts';
import { type Env, SettingError, senderAddress } from '../../platform/process/env.ts';
import { createSmtp, SmtpError, toMessage } from '../../platform/process/smtp.ts';
import { audit } from '../../platform/stores/audit.ts';

/** How long the page waits; workers wait as long as RFC 5321 says. */
const WAIT_MS = 20_000;

type TestMailEnv = Pick<
  Env,
  'SMTP_URL' | 'SMTP_CA_FILE' | 'SMTP_CONNECTIONS' | 'MAIL_FROM' | 'PUBLIC_URL'
>;

/** Sends a mail to an address, or to the admin's own one, which is audited. */
export async function sendTestMailFor(
  { db, env }: Platform,
  admin: { id: string },
  to: string | undefined,
): Promise<TestMail> {
  const { email } = await db.user.findUniqueOrThrow({ where: { id: admin.id } });
  const test = await sendTestMail(env, to ?? email);
  await audit(db, admin, 'mail.tested', admin.id, { outcome: test.outcome });
  return test;
}

/**
 * Sends a mail by this process's own connection to the mail server, as a worker would.
 * @param waitMs how long the server's answer is waited for
 */
export async function sendTestMail(
  env: TestMailEnv,
  to: string,
  waitMs = WAIT_MS,
): Promise<TestMail> {
  const { SMTP_URL } = env;
  const replies: string[] = [];
  const startedAt = performance.now();
  const answer = (outcome: TestMail['outcome'], reason = ''): TestMail => ({
    to,
    server: SMTP_URL === undefined ? '' : serverOf(SMTP_URL),
    from: senderAddress(env),
    outcome,
    reason,
    // As it stands now: more may come while the connection closes.
    replies: [...replies],
    milliseconds: Math.round(performance.now() - startedAt),
  });
  if (SMTP_URL === undefined) return answer('file', t('SMTP_URL is not set'));
  const limit = new AbortController();
  try {
    const smtp = createSmtp(
      { ...env, SMTP_URL, SMTP_CONNECTIONS: 1 },
      { onReply: (reply) => replies.push(reply) },
    );
    const sending = smtp
      .send({ ...toMessage(env, testMail(to)) })
      .then(
        () => answer('taken'),
        (error: Error) =>
          error instanceof SmtpError
            ? answer(error.verdict, error.reply || error.message)
            : answer('retry', error.message),
      )
      .finally(() => limit.abort());
    const late = sleep(waitMs, undefined, { signal: limit.signal }).then(
      () => answer('waiting', t('The mail server has not answered yet')),
      () => sending,
    );
    return await Promise.race([sending, late]).finally(smtp.close);
  } catch (error) {
    if (error instanceof SettingError) return answer('retry', error.message);
    throw error;
  }
}

const serverOf = (url: string): string => {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`;
};

const testMail = (to: string) => {
  const { name } = theMarket();
  const text = t(
    'This is a test mail of {market}. An admin sent it to see whether mails arrive. There is nothing to do.',
    { market: name },
  );
  return {
    id: randomUUID(),
    to,
    subject: t('Test mail of {market}', { market: name }),
    text,
    html: `<p>${text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`,
  };
};
