// Time zones as calendars name them, and what a wall clock shows at the same moment in another one. Browsers can't use
// platform/zoned-time.server.ts, which would add Temporal to the page.
import { isTimeZone } from '#kernel/time-zone.ts'
import type { DayNumber } from './recurrence-rule.ts'

/**
 * All Windows names, as Outlook writes them, without "Standard Time", and the zone that CLDR's windowsZones lists for the
 * world (Unicode CLDR, common/supplemental/windowsZones.xml, version 7e11800).
 */
export const WINDOWS: Record<string, string> = Object.fromEntries(
  (
    'Hawaiian=Pacific/Honolulu,Alaskan=America/Anchorage,Pacific=America/Los_Angeles,' +
    'Pacific (Mexico)=America/Tijuana,US Mountain=America/Phoenix,Mountain=America/Denver,' +
    'Mountain (Mexico)=America/Mazatlan,Central=America/Chicago,Central America=America/Guatemala,' +
    'Central (Mexico)=America/Mexico_City,Canada Central=America/Regina,SA Pacific=America/Bogota,' +
    'Eastern=America/New_York,Eastern (Mexico)=America/Cancun,US Eastern=America/Indianapolis,' +
    'Atlantic=America/Halifax,Venezuela=America/Caracas,SA Western=America/La_Paz,' +
    'Pacific SA=America/Santiago,Newfoundland=America/St_Johns,E. South America=America/Sao_Paulo,' +
    'SA Eastern=America/Cayenne,Argentina=America/Buenos_Aires,Montevideo=America/Montevideo,' +
    'Azores=Atlantic/Azores,GMT=Europe/London,Greenwich=Atlantic/Reykjavik,Morocco=Africa/Casablanca,' +
    'W. Europe=Europe/Berlin,Central Europe=Europe/Budapest,Romance=Europe/Paris,' +
    'Central European=Europe/Warsaw,W. Central Africa=Africa/Lagos,GTB=Europe/Bucharest,' +
    'Middle East=Asia/Beirut,Egypt=Africa/Cairo,E. Europe=Europe/Chisinau,South Africa=Africa/Johannesburg,' +
    'FLE=Europe/Kiev,Israel=Asia/Jerusalem,Jordan=Asia/Amman,Arabic=Asia/Baghdad,Turkey=Europe/Istanbul,' +
    'Arab=Asia/Riyadh,Belarus=Europe/Minsk,Russian=Europe/Moscow,E. Africa=Africa/Nairobi,' +
    'Iran=Asia/Tehran,Arabian=Asia/Dubai,Azerbaijan=Asia/Baku,Georgian=Asia/Tbilisi,' +
    'Caucasus=Asia/Yerevan,Afghanistan=Asia/Kabul,West Asia=Asia/Tashkent,Pakistan=Asia/Karachi,' +
    'India=Asia/Calcutta,Sri Lanka=Asia/Colombo,Nepal=Asia/Katmandu,Bangladesh=Asia/Dhaka,' +
    'Myanmar=Asia/Rangoon,SE Asia=Asia/Bangkok,China=Asia/Shanghai,Singapore=Asia/Singapore,' +
    'W. Australia=Australia/Perth,Taipei=Asia/Taipei,Tokyo=Asia/Tokyo,Korea=Asia/Seoul,' +
    'Cen. Australia=Australia/Adelaide,AUS Central=Australia/Darwin,E. Australia=Australia/Brisbane,' +
    'AUS Eastern=Australia/Sydney,Tasmania=Australia/Hobart,New Zealand=Pacific/Auckland,' +
    'Dateline=Etc/GMT+12,UTC-11=Etc/GMT+11,Aleutian=America/Adak,Marquesas=Pacific/Marquesas,' +
    'UTC-09=Etc/GMT+9,UTC-08=Etc/GMT+8,Yukon=America/Whitehorse,Easter Island=Pacific/Easter,' +
    'Haiti=America/Port-au-Prince,Cuba=America/Havana,Turks And Caicos=America/Grand_Turk,' +
    'Paraguay=America/Asuncion,Central Brazilian=America/Cuiaba,Tocantins=America/Araguaina,' +
    'Greenland=America/Godthab,Magallanes=America/Punta_Arenas,Saint Pierre=America/Miquelon,' +
    'Bahia=America/Bahia,UTC-02=Etc/GMT+2,Cape Verde=Atlantic/Cape_Verde,Sao Tome=Africa/Sao_Tome,' +
    'Syria=Asia/Damascus,West Bank=Asia/Hebron,South Sudan=Africa/Juba,Kaliningrad=Europe/Kaliningrad,' +
    'Sudan=Africa/Khartoum,Libya=Africa/Tripoli,Namibia=Africa/Windhoek,Astrakhan=Europe/Astrakhan,' +
    'Russia Time Zone 3=Europe/Samara,Mauritius=Indian/Mauritius,Saratov=Europe/Saratov,' +
    'Volgograd=Europe/Volgograd,Ekaterinburg=Asia/Yekaterinburg,Qyzylorda=Asia/Qyzylorda,' +
    'Central Asia=Asia/Bishkek,Omsk=Asia/Omsk,Altai=Asia/Barnaul,W. Mongolia=Asia/Hovd,' +
    'North Asia=Asia/Krasnoyarsk,N. Central Asia=Asia/Novosibirsk,Tomsk=Asia/Tomsk,' +
    'North Asia East=Asia/Irkutsk,Ulaanbaatar=Asia/Ulaanbaatar,Aus Central W.=Australia/Eucla,' +
    'Transbaikal=Asia/Chita,North Korea=Asia/Pyongyang,Yakutsk=Asia/Yakutsk,' +
    'West Pacific=Pacific/Port_Moresby,Vladivostok=Asia/Vladivostok,Lord Howe=Australia/Lord_Howe,' +
    'Bougainville=Pacific/Bougainville,Russia Time Zone 10=Asia/Srednekolymsk,Magadan=Asia/Magadan,' +
    'Norfolk=Pacific/Norfolk,Sakhalin=Asia/Sakhalin,Central Pacific=Pacific/Guadalcanal,' +
    'Russia Time Zone 11=Asia/Kamchatka,UTC+12=Etc/GMT-12,Fiji=Pacific/Fiji,' +
    'Chatham Islands=Pacific/Chatham,UTC+13=Etc/GMT-13,Tonga=Pacific/Tongatapu,Samoa=Pacific/Apia,' +
    'Line Islands=Pacific/Kiritimati'
  )
    .split(',')
    .map((pair) => pair.split('=')),
)
const UTC_NAMES = /^(?:utc|gmt|z|(?:etc\/)?(?:utc|gmt))$/i

/**
 * The time zone that a calendar's TZID means; undefined if it isn't known. Programs write "America/New_York",
 * "/mozilla.org/20050126_1/Europe/Berlin" or "W. Europe Standard Time".
 */
export function zoneNamed(tzid: string): string | undefined {
  const name = tzid.trim()
  if (UTC_NAMES.test(name)) return 'UTC'
  const windows = WINDOWS[name.replace(/ (?:Standard|Daylight) Time\b/, '')]
  if (windows) return windows
  const parts = name.split('/').filter(Boolean)
  return [parts.slice(-3), parts.slice(-2)].map((tail) => tail.join('/')).find(isTimeZone)
}

/** What a wall clock shows. */
export interface WallTime {
  day: DayNumber
  /** Minutes since midnight. */
  minute: number
}

const DAY_MINUTES = 24 * 60
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formatters.set(zone, made)
  return made
}

/** What the zone's wall clock shows at a moment, in minutes, as if it were UTC. */
function shownAt(utcMinutes: number, zone: string): number {
  if (zone === 'UTC') return utcMinutes
  const shown: Record<string, number> = {}
  for (const { type, value } of formatterOf(zone).formatToParts(utcMinutes * 60_000))
    shown[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = shown
  return Date.UTC(year, month - 1, day, hour, minute) / 60_000
}

/** A moment in minutes. A time that the clock shows twice is the first one; one it skips counts as an hour later. */
export function momentOf({ day, minute }: WallTime, zone: string): number {
  const shown = day * DAY_MINUTES + minute
  const offsets = [shown - DAY_MINUTES, shown + DAY_MINUTES].map((near) => shownAt(near, zone) - near)
  const found = offsets.map((offset) => shown - offset).find((moment) => shownAt(moment, zone) === shown)
  return found ?? shown - (offsets[0] ?? 0)
}

export function wallTimeAt(moment: number, zone: string): WallTime {
  const shown = shownAt(moment, zone)
  const day = Math.floor(shown / DAY_MINUTES)
  return { day, minute: shown - day * DAY_MINUTES }
}
