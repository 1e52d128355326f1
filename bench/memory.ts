import { execFileSync } from 'node:child_process';

/** Returns the resident memory of a process in kilobytes. */
export const residentKb = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));

/** Returns the process that listens on the port of `url`. */
export const pidOn = (url: string): number =>
  Number(
    execFileSync('sh', ['-c', `ss -ltnpH 'sport = :${new URL(url).port}' | grep -o 'pid=[0-9]*'`], {
      encoding: 'utf8',
    })
      .split('\n')[0]
      ?.slice(4),
  );
