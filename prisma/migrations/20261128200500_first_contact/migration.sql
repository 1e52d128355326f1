-- A new market has the contact of the demo market until an admin changes or empties it. One in which somebody has an
-- account keeps what it has.
UPDATE market_settings
SET contact_address = '12 Market Road, G-9 Markaz, Islamabad 44090',
    contact_phone = '+92 51 000 0142',
    contact_email = 'hello@farmgate.test'
WHERE contact_address = '' AND contact_phone = '' AND contact_email = ''
  AND NOT EXISTS (SELECT FROM users);
