import { expect, it } from 'vitest';
import { isPublicAddress, isPublicUrl } from './push.ts';

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  'fd00::1',
  'fe80::1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '::7f00:1',
  '::ffff:7f00:1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2001::1',
  '100::1',
  '192.0.0.8',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '2130706433',
  '127.1',
  'no address',
])('refuses %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('allows %s', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const isEndpoint = (url: string) => isPublicUrl({ NODE_ENV: 'production' }, url);

it('refuses names of internal hosts in every spelling a URL allows', () => {
  for (const inner of [
    'https://localhost/',
    'https://db/',
    'https://metadata.google.internal/',
    'https://printer.local./',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
  ]) {
    expect(isEndpoint(inner), inner).toBe(false);
  }
  expect(isEndpoint('https://fcm.googleapis.com/fcm/send/x')).toBe(true);
});

it.each([
  'https://push.example.com:8443/x',
  'https://push.example.com:22/x',
  'https://push.example.com:80/x',
  'https://somebody@push.example.com/x',
  'https://somebody:secret@push.example.com/x',
  'https://:secret@push.example.com/x',
  'http://push.example.com/x',
  'http://push.example.com:443/x',
  'wss://push.example.com/x',
  'no address',
])('refuses a push endpoint at %s', (url) => {
  expect(isEndpoint(url)).toBe(false);
});

it('allows a push endpoint that names the port of https', () => {
  expect(isEndpoint('https://push.example.com:443/x?token=1')).toBe(true);
});
