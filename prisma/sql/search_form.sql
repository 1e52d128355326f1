-- The form in which texts are searched, as contract/platform/text/constants/names.ts makes it: lower case, without
-- accents and what is not read, with one letter for those that are typed for each other, and with ASCII digits. The
-- characters are explained there, and a test holds both equal.
CREATE OR REPLACE FUNCTION search_form(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  form text;
BEGIN
  -- ASCII: most texts of many markets.
  IF octet_length(value) = char_length(value) THEN
    RETURN lower(value COLLATE "C");
  END IF;
  form := translate(
    lower(regexp_replace(normalize(value, NFKD),
      '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f'
      '\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7'
      '\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8'
      '\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff'
      '\u093c\u09bc\u0a3c\u0abc\u0b3c'
      '\u00ad\u061c\u0640\u0621\u0674\u180b-\u180e\u200b-\u200f'
      '\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]', '', 'g')),
    'ƀɓđðɗħıƙłŋøŧƴςيىكڪهةۃھەٱ’‘ʼ“”„«»–—‐−،؛؟۔',
    'bbdddhiklnotyσییککہہہہہا''''''"""""----,;?.');
  IF form ~ '[ßæœþ]' THEN
    form := replace(replace(replace(replace(form, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  END IF;
  -- From zero to nine of each script that has digits of its own.
  IF form ~ '[٠-٩۰-۹߀-߉०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯෦-෯๐-๙໐-໙༠-༩၀-၉႐-႙០-៩᠐-᠙᥆-᥏᧐-᧙᪀-᪉᪐-᪙᭐-᭙᮰-᮹᱀-᱉᱐-᱙꘠-꘩꣐-꣙꤀-꤉꧐-꧙꧰-꧹꩐-꩙꯰-꯹]' THEN
    form := translate(form,
      '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹߀߁߂߃߄߅߆߇߈߉०१२३४५६७८९০১২৩৪৫৬৭৮৯੦੧੨੩੪੫੬੭੮੯૦૧૨૩૪૫૬૭૮૯୦୧୨୩୪୫୬୭୮୯௦௧௨௩௪௫௬௭௮௯౦౧౨౩౪౫౬౭౮౯'
      '೦೧೨೩೪೫೬೭೮೯൦൧൨൩൪൫൬൭൮൯෦෧෨෩෪෫෬෭෮෯๐๑๒๓๔๕๖๗๘๙໐໑໒໓໔໕໖໗໘໙༠༡༢༣༤༥༦༧༨༩၀၁၂၃၄၅၆၇၈၉႐႑႒႓႔႕႖႗႘႙០១២៣៤៥៦៧៨៩᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙'
      '᥆᥇᥈᥉᥊᥋᥌᥍᥎᥏᧐᧑᧒᧓᧔᧕᧖᧗᧘᧙᪀᪁᪂᪃᪄᪅᪆᪇᪈᪉᪐᪑᪒᪓᪔᪕᪖᪗᪘᪙᭐᭑᭒᭓᭔᭕᭖᭗᭘᭙᮰᮱᮲᮳᮴᮵᮶᮷᮸᮹᱀᱁᱂᱃᱄᱅᱆᱇᱈᱉᱐᱑᱒᱓᱔᱕᱖᱗᱘᱙꘠꘡꘢꘣꘤꘥꘦꘧꘨꘩꣐꣑꣒꣓꣔꣕꣖꣗꣘꣙'
      '꤀꤁꤂꤃꤄꤅꤆꤇꤈꤉꧐꧑꧒꧓꧔꧕꧖꧗꧘꧙꧰꧱꧲꧳꧴꧵꧶꧷꧸꧹꩐꩑꩒꩓꩔꩕꩖꩗꩘꩙꯰꯱꯲꯳꯴꯵꯶꯷꯸꯹',
      repeat('0123456789', 35));
  END IF;
  RETURN normalize(form, NFC);
END $$;

-- The words of a text in search form, with one space before, between and after them: "Cherry-tomatoes" is
-- " cherry tomatoes ". A LIKE with spaces then finds whole words and beginnings of words only.
CREATE OR REPLACE FUNCTION search_words(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ' ' || btrim(regexp_replace(
    translate(search_form(value), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)),
    '\s+', ' ', 'g')) || ' '
$$;

-- The form in which phone numbers are searched, as contract/platform/text/constants/phones.ts makes it. Indexes are
-- made without a search path.
CREATE OR REPLACE FUNCTION phone_form(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(public.search_form(value), '\(0\)|[^0-9]', '', 'g')
$$;

-- Keeps `users.search_name`: many are looked through for two letters, which no index finds.
CREATE OR REPLACE FUNCTION users_set_search_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."search_name" := search_form(NEW."name");
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "users_search_name"
  BEFORE INSERT OR UPDATE OF "name", "search_name" ON "users"
  FOR EACH ROW EXECUTE FUNCTION users_set_search_name();

-- All that is kept in these forms is made again when they change.
DROP INDEX IF EXISTS "users_email_found", "users_phone_found", "farmer_profiles_name_found", "order_lines_name_found";
CREATE INDEX "users_email_found" ON "users" USING GIN (search_form("email") gin_trgm_ops);
CREATE INDEX "users_phone_found" ON "users" USING GIN (phone_form("phone") gin_trgm_ops);
CREATE INDEX "farmer_profiles_name_found" ON "farmer_profiles" USING GIN (search_form("farm_name") gin_trgm_ops);
CREATE INDEX "order_lines_name_found" ON "order_lines" USING GIN (search_form("name") gin_trgm_ops);
UPDATE "users" SET "search_name" = search_form("name") WHERE "search_name" <> search_form("name");
SELECT FROM "products" ORDER BY "id" FOR NO KEY UPDATE;
UPDATE "products" SET "name" = "name";
