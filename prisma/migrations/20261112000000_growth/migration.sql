-- Whether somebody ever ordered from a farm. For any two people, Postgres would otherwise compare all
-- orders of the one with all orders of the other.
CREATE INDEX "orders_consumer_id_farmer_id_created_at_id_idx"
  ON "orders" ("consumer_id", "farmer_id", "created_at" DESC, "id" DESC);

-- Which words many products share: ANALYZE counts them along.
CREATE STATISTICS "products_words" ON (string_to_array("search_text", ' ')) FROM "products";

-- The longest word of a phrase that hardly one in a hundred products holds, as a pattern that every text with the phrase
-- matches; none if all its words are common or too short to tell much. The first word may be the end of
-- a longer one, and the last a beginning.
CREATE FUNCTION rare_word_pattern(phrase text) RETURNS text LANGUAGE sql STABLE AS $$
  WITH words AS (
    SELECT word, place = 1 AS is_first, place = count(*) OVER () AS is_last
    FROM unnest(string_to_array(search_form(phrase), ' ')) WITH ORDINALITY AS words (word, place)
  ), common AS (
    SELECT word
    FROM pg_stats_ext_exprs,
      unnest(most_common_elems::text::text[], most_common_elem_freqs) AS counted (word, part)
    WHERE statistics_name = 'products_words' AND schemaname = current_schema() AND part > 0.01
  )
  SELECT CASE WHEN is_first THEN '%' ELSE '% ' END
    || regexp_replace(word, '([\\%_])', '\\\1', 'g')
    || CASE WHEN is_last THEN '%' ELSE ' %' END
  FROM words
  WHERE length(word) > 2 AND EXISTS (SELECT FROM common) AND NOT EXISTS (
    SELECT FROM common
    WHERE common.word = words.word
      OR is_first AND right(common.word, length(words.word)) = words.word
      OR is_last AND starts_with(common.word, words.word))
  ORDER BY length(word) DESC
  LIMIT 1
$$;
