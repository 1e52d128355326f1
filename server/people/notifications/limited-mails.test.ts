import { describe, expect, it } from 'vitest';
import { isWithinLimits, mailboxOf } from './limited-mails.ts';

describe('a mailbox', () => {
  it.each([
    ['Ben@Farm.Example', 'ben@farm.example'],
    ['  ben@farm.example ', 'ben@farm.example'],
    ['ben+harvest@farm.example', 'ben@farm.example'],
    ['ben+a+b@farm.example.', 'ben@farm.example'],
    ['ＢＥＮ@ｆａｒｍ.example', 'ben@farm.example'],
    ['ben@BÜRO.example', 'ben@xn--bro-hoa.example'],
    ['ben@xn--bro-hoa.example', 'ben@xn--bro-hoa.example'],
    ['b.e.n+x@googlemail.com', 'ben@gmail.com'],
    ['b.en@farm.example', 'b.en@farm.example'],
    ['+ben@farm.example', '+ben@farm.example'],
  ])('%s is %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });
});

describe('the limits of a day', () => {
  const counts = { toReceiver: 0, ofSender: 0, ofMarket: 0 };
  it.each([
    [{}, true],
    [{ toReceiver: 1, ofSender: 1, ofMarket: 1 }, false],
    [{ ofSender: 19, ofMarket: 19 }, true],
    [{ ofSender: 20, ofMarket: 20 }, false],
    [{ ofMarket: 999 }, true],
    [{ ofMarket: 1000 }, false],
  ])('%j: %s', (over, isWithin) => {
    expect(isWithinLimits({ ...counts, ...over }, 1000)).toBe(isWithin);
  });
});
