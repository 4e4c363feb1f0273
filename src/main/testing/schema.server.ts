// A database's schema as lines of text, for tests that compare two databases.
import { connectTo } from '#platform/db/connection.server.ts'

/**
 * Every column, constraint, index, sequence, privilege, owner, policy, function, view and trigger. Role names are
 * converted to the ones used in the files in db/. Not-null constraints appear with their columns only: PostgreSQL
 * 18 names them, and keeps the name when the column gets another. The others appear without parentheses, because
 * a dump that's loaded again has fewer. Nothing reads columns by their order, which isn't compared.
 */
export async function schemaOf(url: string): Promise<string[]> {
  const reader = await connectTo(url)
  try {
    const { rows } = await reader.query<{ line: string }>(`
      with places as (select oid from pg_namespace where oid >= 16384 or nspname = 'public')
      select format('column %s.%s %s %s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
          attgenerated, pg_get_expr(adbin, adrelid)) as line
        from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where relkind in ('r', 'p', 'v') and relnamespace in (select oid from places) and attnum > 0 and not attisdropped
      union all select format('constraint %s %s %s', conrelid::regclass, conname, translate(pg_get_constraintdef(oid), '()', '')) from pg_constraint
        where contype <> 'n' and connamespace in (select oid from places)
      union all select 'index ' || pg_get_indexdef(indexrelid) from pg_index join pg_class c on c.oid = indexrelid
        where relnamespace in (select oid from places)
      union all select format('view %s %s', oid::regclass, pg_get_viewdef(oid)) from pg_class where relkind = 'v'
        and relnamespace in (select oid from places)
      union all select format('relation %s %s %s %s %s %s', oid::regclass, relkind, pg_get_userbyid(relowner), relrowsecurity,
          relforcerowsecurity, (select string_agg(x, ' ' order by x)
          from unnest(coalesce(relacl, acldefault((case relkind when 'S' then 's' else 'r' end)::"char", relowner))::text[]) x)) from pg_class
        where relnamespace in (select oid from places)
      union all select format('column privileges %s.%s %s', attrelid::regclass, attname,
          (select string_agg(x, ' ' order by x) from unnest(attacl::text[]) x)) from pg_attribute where attacl is not null
      union all select format('routine %s %s %s %s', oid::regprocedure, pg_get_userbyid(proowner),
          (select string_agg(x, ' ' order by x) from unnest(proacl::text[]) x), pg_get_functiondef(oid)) from pg_proc
        where prokind <> 'a' and pronamespace in (select oid from places)
      union all select format('schema %s %s %s', nspname, pg_get_userbyid(nspowner),
          (select string_agg(x, ' ' order by x) from unnest(nspacl::text[]) x)) from pg_namespace where nspname !~ '^pg_'
      union all select format('policy %s %s %s %s %s %s %s', polname, polrelid::regclass, polcmd, polpermissive,
          (select string_agg(pg_get_userbyid(r), ' ' order by pg_get_userbyid(r)) from unnest(polroles) r),
          pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy
      union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`)
    // Removes the OIDs from the role names, so that two databases in one cluster can be compared.
    return rows.map(({ line }) => line.replaceAll(/tutorlog_\d+_/g, 'tutorlog_')).sort()
  } finally {
    await reader.end()
  }
}
