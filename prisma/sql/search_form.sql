-- The form in which texts are compared: lower case, without accents.
CREATE OR REPLACE FUNCTION search_form(value text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT lower(unaccent(value))
$$;
