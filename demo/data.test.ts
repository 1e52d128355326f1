import { expect, it } from 'vitest';
import { farms } from './data/farms.ts';
import { admin, consumers } from './data/people.ts';
import { staff } from './data/staff.ts';
import { places } from './slots.ts';

it('has the towns and phone numbers of the country whose money it takes', () => {
  const people = [admin, ...consumers, ...staff, ...farms.map(({ farmer }) => farmer), ...places];
  for (const { name, phone, address } of people) {
    // Nobody has a number with these zeros.
    expect(phone, name).toMatch(/^(\+92 \d{2,3} 000 \d{4})?$/);
    expect(['ICT', 'Punjab', 'KP'], name).toContain(address.state);
    expect(address.zipCode, name).toMatch(/^[24]\d{4}$/);
  }
});
