import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A reply in full, or null to cut the connection without one. */
type Reply = string | null;
type Answer = Reply | Promise<Reply>;

/** How a mail server answers; what is left out is answered as by one that takes everything. */
export interface SmtpBehaviour {
  greeting?: () => Answer;
  mailFrom?: (address: string) => Answer;
  rcptTo?: (address: string) => Answer;
  /** After the last dot. */
  content?: (mail: TakenMail) => Answer;
}

/** A mail whose last dot has arrived, whatever was answered to it. */
export interface TakenMail {
  /** The Message-ID. */
  id: string;
  to: string;
  subject: string;
  text: string;
  isEncrypted: boolean;
}

const taken = (_: unknown): Answer => '250 OK';

const REPLIES = { EHLO: '250-test', RSET: '250 OK', NOOP: '250 OK', DATA: '354 Go on' };

/**
 * Starts a mail server that answers as a test says, late, never, or wrongly. Its behaviour may be changed at any time.
 * @param tls a certificate and its key in PEM form, to offer STARTTLS
 */
export async function openSmtpServer(tls?: { key: string; cert: string }) {
  const behaviour: SmtpBehaviour = {};
  /** Mails that were sent up to their last dot. */
  const mails: TakenMail[] = [];
  /** Commands in the order they came, over all connections. */
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let connectionCount = 0;

  function serve(socket: Socket, isEncrypted: boolean): void {
    let input = '';
    let to = '';
    let isContent = false;
    let work = Promise.resolve();
    const answer = (reply: Reply) => {
      if (reply === null) socket.destroy();
      else if (!socket.destroyed) socket.write(`${reply}\r\n`);
    };

    async function handle(line: string): Promise<void> {
      commands.push(line);
      const [verb = ''] = line.toUpperCase().split(' ');
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      switch (verb) {
        case 'EHLO':
          return answer(tls && !isEncrypted ? `${REPLIES.EHLO}\r\n250 STARTTLS` : '250 test');
        case 'STARTTLS': {
          answer('220 Ready');
          socket.removeAllListeners('data');
          const secure = new TLSSocket(socket, { isServer: true, ...tls });
          secure.on('error', () => {});
          return serve(secure, true);
        }
        case 'MAIL':
          return answer(await (behaviour.mailFrom ?? taken)(address));
        case 'RCPT':
          to = address;
          return answer(await (behaviour.rcptTo ?? taken)(address));
        case 'DATA':
          isContent = true;
          return answer(REPLIES.DATA);
        case 'QUIT':
          answer('221 Bye');
          return void socket.end();
        default:
          return answer(REPLIES[verb as keyof typeof REPLIES] ?? '502 Unknown command');
      }
    }

    async function take(text: string): Promise<void> {
      const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1] ?? '';
      const mail = { id: header('Message-ID'), to, subject: header('Subject'), text, isEncrypted };
      mails.push(mail);
      answer(await (behaviour.content ?? taken)(mail));
    }

    socket.on('data', (chunk: Buffer) => {
      input += chunk.toString('utf8');
      for (;;) {
        const mark = isContent ? '\r\n.\r\n' : '\r\n';
        const end = input.indexOf(mark);
        if (end < 0) return;
        const part = input.slice(0, end);
        input = input.slice(end + mark.length);
        const wasContent = isContent;
        isContent = false;
        // Whatever follows DATA belongs to the mail, although its reply is on its way.
        if (!wasContent && /^data$/i.test(part)) isContent = true;
        work = work.then(() => (wasContent ? take(part) : handle(part)));
      }
    });
  }

  const server = createServer((socket) => {
    connectionCount++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    Promise.resolve(behaviour.greeting?.() ?? '220 test').then((reply) => {
      if (reply === null) socket.destroy();
      else if (!socket.destroyed) socket.write(`${reply}\r\n`);
    });
    serve(socket, false);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    behaviour,
    mails,
    commands,
    connectionCount: () => connectionCount,
    mailsTo: (address: string) => mails.filter((mail) => mail.to === address),
    /** How often it was asked whether it takes mails to this address. */
    askedFor: (address: string) =>
      commands.filter((line) => line.toUpperCase().startsWith(`RCPT TO:<${address.toUpperCase()}>`))
        .length,
    /** Behaves again as one that takes everything. */
    reset: () => {
      for (const key of Object.keys(behaviour)) delete behaviour[key as keyof SmtpBehaviour];
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A reply that is given when the test says so. */
export function heldReply() {
  let give: (reply: Reply) => void = () => {};
  const reply = new Promise<Reply>((resolve) => {
    give = resolve;
  });
  return { reply, give };
}
