-- Counts, with each ANALYZE, the words that many products share.
CREATE STATISTICS IF NOT EXISTS "products_words"
  ON (string_to_array("search_text", ' ')) FROM "products";

-- Returns the longest word of a phrase that at most one in a hundred products contains, as a LIKE pattern
-- that every text with the phrase matches; null if all its words are common or short. The trigram index
-- finds a rare word at once, but compares the lists of all words of a common phrase. The first word may
-- be the end of a longer one, and the last a beginning.
CREATE OR REPLACE FUNCTION rare_word_pattern(phrase text) RETURNS text LANGUAGE sql STABLE AS $$
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
