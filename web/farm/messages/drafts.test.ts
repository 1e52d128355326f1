// @vitest-environment happy-dom

import { beforeEach, expect, it } from 'vitest';
import { ownedKey } from '../../platform/session/owned.ts';
import { readMessageDraft, saveMessageDraft } from './thread/ThreadInput.tsx';

beforeEach(() => localStorage.clear());

it('stores a draft per conversation and owner, until it is blank', () => {
  saveMessageDraft('me', 'finn', 'Half a sent');
  expect(readMessageDraft('me', 'finn')).toBe('Half a sent');
  expect(readMessageDraft('me', 'ada')).toBe('');
  expect(readMessageDraft('you', 'finn')).toBe('');
  saveMessageDraft('me', 'finn', '  ');
  expect(readMessageDraft('me', 'finn')).toBe('');
});

it('takes over what an earlier release kept, once', () => {
  const earlier = ownedKey('me', 'message-drafts');
  localStorage.setItem(earlier, JSON.stringify({ finn: 'Half', ada: 'A word' }));
  expect(readMessageDraft('me', 'finn')).toBe('Half');
  expect(localStorage.getItem(earlier)).toBeNull();
  saveMessageDraft('me', 'ada', '');
  expect(readMessageDraft('me', 'ada')).toBe('');
  expect(readMessageDraft('me', 'finn')).toBe('Half');
});
