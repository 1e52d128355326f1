-- What a line costs in minor units: price per unit times thousandths of the unit, half up. The same as
-- `lineCostMinor` of the contract. In bigint, because the product exceeds an integer.
CREATE OR REPLACE FUNCTION line_cost_minor(price_minor bigint, quantity_milli bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (price_minor * quantity_milli * 2 + 1000) / 2000
$$;
