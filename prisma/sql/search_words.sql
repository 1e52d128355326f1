-- The words of a text in search form, with one space before, between and after them: "Cherry-tomatoes" is
-- " cherry tomatoes ". A LIKE with spaces then finds whole words and beginnings of words only.
CREATE OR REPLACE FUNCTION search_words(value text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ' ' || btrim(regexp_replace(
    translate(search_form(value), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)),
    '\s+', ' ', 'g')) || ' '
$$;
