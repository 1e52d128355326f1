// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { ownedKey } from '../../platform/session/owned.ts';
import { readDraft, saveDraft } from './drafts.ts';

const KEY = ownedKey('me', 'message-drafts');

beforeEach(() => saveDraft('me', 'finn', ''));

it('stores a draft per conversation and owner', () => {
  saveDraft('me', 'finn', 'Half a sent');
  expect(readDraft('me', 'finn')).toBe('Half a sent');
  expect(readDraft('me', 'ada')).toBe('');
  expect(readDraft('you', 'finn')).toBe('');
  expect(localStorage.getItem(KEY)).toContain('Half a sent');
});

it('removes a draft that becomes blank', () => {
  saveDraft('me', 'finn', 'Half');
  saveDraft('me', 'finn', '  ');
  expect(readDraft('me', 'finn')).toBe('');
  expect(localStorage.getItem(KEY)).toBe('{}');
});

it('drops the oldest drafts above the limit', () => {
  for (let number = 0; number < 60; number++) saveDraft('me', `person ${number}`, 'x');
  expect(readDraft('me', 'person 0')).toBe('');
  expect(readDraft('me', 'person 59')).toBe('x');
});
