-- Thousandths of a unit as a quantity of the wire: 5, 1.235, without zeros at the end.
CREATE OR REPLACE FUNCTION wire_quantity(milli bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT trim_scale(milli / 1000.0)
$$;
