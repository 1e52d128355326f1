import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { theMarket } from '#contract/platform/market/constants';
import { type Env, senderAddress } from '../../../server/platform/process/env.ts';
import type { Log } from '../../../server/platform/process/log.ts';
import { singleLine } from './wording.ts';

/** A composed mail. */
export interface Mail {
  /** The same on every attempt, so that mailboxes detect a duplicate. */
  id: string;
  /** The bare address: a name may be chosen by an attacker, so no header contains one. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where mails of this kind are turned off, for kinds that can be. */
  unsubscribeUrl?: string;
}

export interface Mailer {
  /** @throws when the mail was not accepted */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/**
 * Returns the headers by which mailboxes offer to turn mails off (RFC 8058), with one click where that is safe.
 * Each is one line, however long its address.
 */
function unsubscribeHeaders(url: string | undefined) {
  if (url === undefined) return {};
  const line = (value: string) => ({ prepared: true, value });
  return {
    'List-Unsubscribe': line(`<${url}>`),
    ...(url.startsWith('https:')
      ? { 'List-Unsubscribe-Post': line('List-Unsubscribe=One-Click') }
      : {}),
  };
}

/** Shorter than a job's lock, so that an attempt ends before its job counts as stalled. */
const TIMEOUT_MS = 10_000;

/**
 * Creates a mailer that sends by `SMTP_URL`; without one, it writes each mail to a file in
 * `DATA_DIR/mail` named by its id, so that a repeat replaces it. When a process dies before it reads the
 * SMTP response, it is unknown whether the mail was accepted; it is sent again with the same
 * Message-ID, which mailboxes deduplicate.
 */
export function createMailer(
  env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL' | 'DATA_DIR'>,
  log: Log,
): Mailer {
  const host = new URL(env.PUBLIC_URL).hostname;
  const toMessage = ({ id, unsubscribeUrl, ...mail }: Mail) => ({
    ...mail,
    subject: singleLine(mail.subject),
    // As an object, so that the address is never parsed as a list.
    to: { name: '', address: mail.to },
    from: { name: theMarket().name, address: senderAddress(env) },
    ...(theMarket().contact.email ? { replyTo: theMarket().contact.email } : {}),
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  if (env.SMTP_URL) {
    const transport = createTransport({
      url: env.SMTP_URL,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    });
    return {
      send: async (mail) => {
        await transport.sendMail(toMessage(mail));
      },
      close: () => transport.close(),
    };
  }

  const folder = path.resolve(env.DATA_DIR, 'mail');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(toMessage(mail));
      await mkdir(folder, { recursive: true });
      const file = path.join(folder, `${mail.id}.eml`);
      // Rename when complete, so that nobody reads a partial mail.
      const draft = `${file}.${process.pid}`;
      await writeFile(draft, message as Buffer);
      await rename(draft, file);
      log.info({ file }, 'Mail written to a file; SMTP_URL is not set');
    },
    close: () => {},
  };
}
