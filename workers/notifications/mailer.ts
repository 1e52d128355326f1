import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Env } from '../../server/platform/env.ts';
import type { Log } from '../../server/platform/log.ts';

/** A mail ready to go. */
export interface Mail {
  /** The same on every try, so that whoever keeps mail can tell a repeat. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** @throws when the mail was not taken */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** A try ends well before its job counts as abandoned. */
const TIMEOUT_MS = 10_000;

/**
 * Sends by `SMTP_URL`; without one, mails are written to `DATA_DIR/mail`, a file each, named by the
 * mail's id: there a repeat replaces itself. Over SMTP no protocol can tell whether a mail was taken
 * when the sender dies between its last word and the answer; such a mail is sent again, under the
 * same Message-ID, since a lost one is worse than one that a mailbox folds into the first.
 */
export function createMailer(
  env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL' | 'DATA_DIR'>,
  log: Log,
): Mailer {
  const host = new URL(env.PUBLIC_URL).hostname;
  const toMessage = ({ id, ...mail }: Mail) => ({
    ...mail,
    subject: oneLine(mail.subject),
    to: { ...mail.to, name: oneLine(mail.to.name) },
    from: env.MAIL_FROM,
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
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
      // Under another name until it is whole.
      const draft = `${file}.${process.pid}`;
      await writeFile(draft, message as Buffer);
      await rename(draft, file);
      log.info({ file }, 'A mail was written, since SMTP_URL is not set');
    },
    close: () => {},
  };
}

/** A header is one line: nothing in it may begin another. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
