import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll } from 'vitest';
import type { TestMarket } from '../../server/testing/market.ts';
import { startWorkers, type Workers } from '../start.ts';

/** A mail as an SMTP server received it. */
interface ReceivedMail {
  /** The Message-ID, by which mailboxes deduplicate. */
  id: string;
  to: string;
  subject: string;
  /** Headers and body, decoded from quoted-printable. */
  text: string;
  /** The headers of that name; empty for none. */
  unsubscribe: string;
  unsubscribePost: string;
}

const CONFIRM_SUBJECT = 'Confirm your email';

/** Starts an SMTP server that stores its mails. It can be stopped and restarted on the same port. */
export async function openMailbox() {
  const mails: ReceivedMail[] = [];
  const confirmations: ReceivedMail[] = [];
  let server: SMTPServer | undefined;
  let port = 0;

  async function open(): Promise<void> {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      closeTimeout: 100,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('utf8');
          const mail = {
            id: headerOf(raw, 'Message-ID'),
            to: session.envelope.rcptTo.map(({ address }) => address).join(', '),
            subject: headerOf(raw, 'Subject'),
            text: decodeQuotedPrintable(raw),
            unsubscribe: headerOf(raw, 'List-Unsubscribe'),
            unsubscribePost: headerOf(raw, 'List-Unsubscribe-Post'),
          };
          (mail.subject === CONFIRM_SUBJECT ? confirmations : mails).push(mail);
          done();
        });
      },
    });
    // Some tests kill the sender while it sends.
    server.on('error', () => {});
    const listening = server.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    port = (listening.address() as AddressInfo).port;
  }

  async function close(): Promise<void> {
    const closing = server;
    server = undefined;
    if (closing) await new Promise<void>((resolve) => closing.close(resolve));
  }

  await open();
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** All but {@link confirmations}. */
    mails,
    /** The mails that ask everybody who registers to confirm their email, which few tests are about. */
    confirmations,
    /** Returns the mails to this address, each Message-ID once. */
    mailsTo: (address: string) => {
      const unique = new Map(mails.map((mail) => [mail.id, mail]));
      return [...unique.values()].filter(({ to }) => to === address);
    },
    open,
    close,
  };
}

const headerOf = (raw: string, name: string): string =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replace(/\r\n[ \t]/g, ' ') ??
  '';

const decodeQuotedPrintable = (raw: string): string =>
  Buffer.from(
    raw
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  ).toString('utf8');

/** Starts a market whose mails come into a mailbox, with workers as of some processes, for the tests of a file. */
export async function startWithMailbox<Market extends Pick<TestMarket, 'platform' | 'close'>>(
  start: (env: Record<string, string>) => Promise<Market>,
  env: Record<string, string> = {},
  processCount = 1,
): Promise<{ mailbox: Awaited<ReturnType<typeof openMailbox>>; market: Market }> {
  const mailbox = await openMailbox();
  const market = await start({ SMTP_URL: mailbox.url, ...env });
  const workers: Workers[] = [];
  while (workers.length < processCount) workers.push(await startWorkers(market.platform));
  afterAll(async () => {
    await Promise.all(workers.map((each) => each.close()));
    await market.close();
    await mailbox.close();
  });
  return { mailbox, market };
}
