"""HWU64: requests to a home assistant, with 64 intents and character spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from deg_core.datagen.draft import Draft
from deg_core.datagen.intents import Intent, ask_intent, ask_yes_no, parse_intents
from deg_core.datagen.raw import Tally, json_lines
from deg_core.datagen.wording import Slot, slot
from deg_core.records.record import Record

SOURCE = "hwu64"

INTENTS = parse_intents("""
[alarm]
alarm_query = check alarms = the user asks which alarms are set
alarm_remove = remove alarm = the user wants an alarm cancelled
alarm_set = set alarm = the user wants to be woken or alerted at a time
[audio]
audio_volume_down = volume down = the user wants the sound quieter
audio_volume_mute = mute = the user wants no sound for a while
audio_volume_up = volume up = the user wants the sound louder
[calendar]
calendar_query = check calendar = the user asks what is on the calendar
calendar_remove = delete event = the user wants an event taken off the calendar
calendar_set = add event = the user wants an event or reminder put on the calendar
[cooking]
cooking_recipe = recipe = the user asks how to cook something
[datetime]
datetime_convert = convert time = the user wants a time in another zone
datetime_query = ask date or time = the user asks for the date or the time
[email]
email_addcontact = add contact = the user wants a new contact saved
email_query = check mail = the user asks about messages in the mailbox
email_querycontact = look up contact = the user asks for somebody's details
email_sendemail = send mail = the user wants an email written or sent
[small talk]
general_affirm = agree = the user agrees with what was said
general_commandstop = stop = the user wants the assistant to stop
general_confirm = ask to confirm = the user checks that a command was understood
general_dontcare = no preference = the user does not mind either way
general_explain = ask to explain = the user asks for a clearer explanation
general_joke = joke = the user wants to hear a joke
general_negate = disagree = the user says that the reply was wrong
general_praise = praise = the user thanks or praises the assistant
general_quirky = chit chat = the user chats about something without a clear task
general_repeat = repeat = the user wants the last words said again
[home devices]
iot_cleaning = vacuum cleaner = the user wants the robot cleaner to work
iot_coffee = make coffee = the user wants the coffee machine to brew
iot_hue_lightchange = change light colour = the user wants another colour of light
iot_hue_lightdim = dim lights = the user wants the lights less bright
iot_hue_lightoff = lights off = the user wants lights switched off
iot_hue_lighton = lights on = the user wants lights switched on
iot_hue_lightup = brighten lights = the user wants the lights brighter
iot_wemo_off = socket off = the user wants a plug or device switched off
iot_wemo_on = socket on = the user wants a plug or device switched on
[lists]
lists_createoradd = add to list = the user wants a list made or something put on it
lists_query = check list = the user asks what is on a list
lists_remove = remove from list = the user wants a list or an entry deleted
[music]
music_likeness = rate music = the user says how much they like the music
music_query = ask about music = the user asks what song or artist is playing
music_settings = player settings = the user wants shuffle, repeat or another player setting
play_music = play music = the user wants music to start
[media]
play_audiobook = play audiobook = the user wants an audiobook read or resumed
play_game = play game = the user wants to play a game
play_podcasts = play podcast = the user wants a podcast
play_radio = play radio = the user wants a radio station
[news and facts]
news_query = news = the user asks for news
qa_currency = exchange rate = the user asks what one currency is worth in another
qa_definition = definition = the user asks what something means or is
qa_factoid = fact question = the user asks for a fact about a person, place or thing
qa_maths = calculation = the user wants something computed
qa_stock = stock price = the user asks about shares
weather_query = weather = the user asks about the weather
[recommendations]
recommendation_events = events nearby = the user looks for something to attend
recommendation_locations = places nearby = the user looks for a shop, restaurant or other place
recommendation_movies = film suggestion = the user looks for a film to see
[social]
social_post = post on social media = the user wants something posted or complained about online
social_query = check social media = the user asks what happens on social media
[food orders]
takeaway_order = order food = the user wants food ordered
takeaway_query = ask about delivery = the user asks about an order or whether a place delivers
[transport]
transport_query = travel information = the user asks about routes, stations or times of travel
transport_taxi = book taxi = the user wants a taxi or ride
transport_ticket = book ticket = the user wants a ticket
transport_traffic = traffic = the user asks about traffic
""")
# A scenario answers "which area of the assistant", the coarser choice.
SCENARIOS = {
    "alarm": Intent("alarms", "it is about alarms"),
    "audio": Intent("volume", "it is about how loud the sound is"),
    "calendar": Intent("calendar", "it is about events and reminders"),
    "cooking": Intent("cooking", "it is about recipes"),
    "datetime": Intent("date and time", "it is about the date or the clock"),
    "email": Intent("email and contacts", "it is about mail or contacts"),
    "general": Intent("small talk", "it is about the conversation itself"),
    "iot": Intent("home devices", "it is about lights, sockets or machines at home"),
    "lists": Intent("lists", "it is about shopping or to-do lists"),
    "music": Intent("music", "it is about songs and the player"),
    "news": Intent("news", "it is about the news"),
    "play": Intent("playback", "it asks to start music, radio, books, podcasts or games"),
    "qa": Intent("general knowledge", "it is a question of fact, sums or rates"),
    "recommendation": Intent("recommendations", "it asks for a place, event or film to go to"),
    "social": Intent("social media", "it is about social networks"),
    "takeaway": Intent("takeaway", "it is about ordering food"),
    "transport": Intent("transport", "it is about travel or traffic"),
    "weather": Intent("forecast", "it is about the weather"),
}
SLOTS = {
    "date": slot("date|day|on day|event date|when", "day or date meant|which day?|the day the request is for"),
    "time": slot(
        "time|clock time|at time|start time|hour", "time of day as said|at what time?|hour of the day or length of time"
    ),
    "timeofday": slot(
        "part of day|time of day|day part", "part of the day, such as morning or tonight|which part of the day?"
    ),
    "place_name": slot(
        "place|location|city|place name|where",
        "name of a place: city, country, road|which place is named?|geographical name",
    ),
    "person": slot(
        "person|person name|contact|contact name|who", "name of a person|who is named?|person the request is about"
    ),
    "business_name": slot(
        "business|business name|company|shop name|restaurant name", "name of a company or shop|which business is named?"
    ),
    "business_type": slot(
        "business type|kind of place|type of venue|venue type",
        "kind of shop or venue, not its name|what sort of place is looked for?",
    ),
    "media_type": slot(
        "media|medium|media type|platform|network", "medium or network named: music, tweet, a site|which medium?"
    ),
    "transport_type": slot(
        "transport|vehicle|means of transport|mode of travel|transport type",
        "means of transport, such as train or taxi|how does the user want to travel?",
    ),
    "device_type": slot("device|appliance|device name|machine", "device or machine to act on|which device is meant?"),
    "event_name": slot(
        "event|event name|appointment|occasion|meeting", "name of the event or appointment|what is the event called?"
    ),
    "food_type": slot("food|dish|food item|meal item|cuisine", "food or dish named|what food is it about?"),
    "currency_name": slot("currency|currency name|money unit", "currency named|which currency?"),
    "house_place": slot("room|house area|part of house|zone", "room or part of the house|where in the house?"),
    "list_name": slot("list|list name|name of list", "which list: its name|name of the list meant"),
    "player_setting": slot(
        "player setting|playback setting|player action",
        "setting of the player, such as shuffle or resume|what should the player do?",
    ),
    "definition_word": slot(
        "term|word|word to define|term to look up|subject",
        "word or thing whose meaning is asked|what should be explained?",
    ),
    "order_type": slot(
        "order type|delivery type|how to get food", "takeaway or delivery, as said|how will the food be got?"
    ),
    "color_type": slot("color|colour|light color|shade", "colour asked for|which colour?"),
    "game_name": slot("game|game name|title of game", "name of the game|which game?"),
    "relation": slot(
        "relation|relationship|relative", "who somebody is to the user, such as boss or mom|relationship named"
    ),
    "personal_info": slot(
        "personal detail|contact detail|info wanted|detail",
        "kind of personal detail asked for, such as phone number|which detail of the person?",
    ),
    "radio_name": slot(
        "radio station|station|channel|radio name", "name or frequency of the radio station|which station?"
    ),
    "audiobook_name": slot("audiobook|book title|audiobook title|book", "title of the audiobook|which book?"),
    "weather_descriptor": slot(
        "weather condition|weather word|condition|weather aspect",
        "weather or weather-related thing asked about|which condition?",
    ),
    "artist_name": slot("artist|band|singer|artist name|musician", "name of the artist or band|who performs?"),
    "news_topic": slot("news topic|topic|news subject", "subject of the news asked for|news about what?"),
    "music_genre": slot("genre|music genre|style of music|music style", "style of music|which genre?"),
    "podcast_descriptor": slot(
        "episode|podcast episode|episode wanted", "which episode or kind of podcast|what part of the podcast?"
    ),
    "time_zone": slot("time zone|timezone|zone name", "time zone named|which time zone?"),
    "joke_type": slot("joke type|kind of joke|joke style", "what kind of joke|style of the joke"),
    "transport_agency": slot(
        "transport company|ride company|agency|carrier", "company that runs the ride|which transport company?"
    ),
    "change_amount": slot(
        "amount of change|change|level|by how much", "how much or to what level to change|by how much?"
    ),
    "song_name": slot("song|song title|track|track name", "title of the song|which song?"),
    "podcast_name": slot("podcast|podcast name|show|podcast title", "name of the podcast|which podcast?"),
    "email_address": slot("email address|email|address", "email address as said|which address?"),
    "meal_type": slot("meal|meal type|which meal", "meal of the day, such as dinner|which meal?"),
    "app_name": slot("app|app name|application", "name of the app|which app?"),
    "coffee_type": slot("coffee|coffee type|kind of coffee", "kind of coffee|how should the coffee be?"),
    "general_frequency": slot("frequency|repeats|how often|recurrence", "how often it repeats|how frequently?"),
    "playlist_name": slot("playlist|playlist name", "name of the playlist|which playlist?"),
    "movie_name": slot("film|movie|movie title|film title", "title of the film|which film?"),
    "music_descriptor": slot(
        "music description|music mood|kind of songs", "words that describe the music|what sort of songs?"
    ),
    "ingredient": slot("ingredient|ingredient name", "ingredient named|which ingredient?"),
    "email_folder": slot("folder|mail folder|mailbox folder", "folder of the mailbox|which folder?"),
    "alarm_type": slot("alarm type|kind of alarm|alarm name", "which alarm: its kind|what sort of alarm?"),
    "movie_type": slot("film genre|movie type|kind of film", "kind of film|what sort of film?"),
    "transport_descriptor": slot(
        "ticket type|trip description|travel class",
        "what kind of trip or ticket|one way, return, first class and so on",
    ),
    "transport_name": slot("train name|line|service name", "name or number of the train or line|which service?"),
    "audiobook_author": slot("author|book author|audiobook author", "author of the book|who wrote or reads it?"),
    "cooking_type": slot("cooking method|way of cooking|method", "how the food is prepared|which cooking method?"),
    "drink_type": slot("drink|beverage|drink name", "drink named|which drink?"),
}
# What is easily taken for what: these are asked, and null, where only the other one is there.
TEMPTING = {
    "date": ("time", "timeofday", "general_frequency"),
    "time": ("date", "timeofday", "time_zone"),
    "timeofday": ("time", "date", "meal_type"),
    "place_name": ("house_place", "business_name", "person", "time_zone"),
    "person": ("relation", "artist_name", "place_name", "audiobook_author"),
    "business_name": ("business_type", "person", "app_name", "transport_agency"),
    "business_type": ("business_name", "food_type", "place_name"),
    "food_type": ("drink_type", "ingredient", "meal_type", "business_name"),
    "song_name": ("artist_name", "playlist_name", "movie_name"),
    "artist_name": ("song_name", "person", "music_genre"),
    "music_genre": ("artist_name", "song_name", "music_descriptor"),
    "house_place": ("place_name", "device_type"),
    "device_type": ("house_place", "media_type"),
    "audiobook_name": ("audiobook_author", "song_name", "podcast_name"),
    "podcast_name": ("podcast_descriptor", "radio_name", "audiobook_name"),
    "transport_type": ("transport_agency", "transport_name", "place_name"),
}
LEADS = ("", "", "", "", "", "User: ", "user said: ", "> ", "Command: ", "Hey, ", "Assistant request: ")


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``; rows whose spans or labels do not hold are counted in ``tally``."""
    tally = Tally() if tally is None else tally
    for number, row in enumerate(json_lines(Path(path) / "train.jsonl")):
        text, intent = row["text"], row["intent"]
        if intent not in INTENTS or not text.strip():
            tally["unknown intent or no text"] += 1
            continue
        if any(text[entity["start"] : entity["end"]] != entity["value"] for entity in row["entities"]):
            tally["bad span"] += 1
            continue
        draft = Draft(SOURCE, f"{number:05d}", text.strip().lower(), "home assistant", text, "request")
        lead = draft.rng.choice(LEADS)
        draft.context = lead + text
        _ask_labels(draft, intent)
        _ask_slots(draft, row["entities"], len(lead))
        record = draft.record()
        if record is not None:
            yield record


def _ask_labels(draft: Draft, intent: str) -> None:
    rng = draft.rng
    if rng.random() < 0.75:
        ask_intent(draft, INTENTS, intent)
    if rng.random() < 0.25:
        area = slot(
            "area|domain|scenario|module|skill", "area of the assistant that the {noun} belongs to|which skill?"
        )
        scenario = intent.partition("_")[0]
        # music and play overlap too much to stand in one list
        rivals = {"music": ("play", "audio"), "play": ("music",), "audio": ("music",)}.get(scenario, ())
        pool = {name: item for name, item in SCENARIOS.items() if name not in rivals}
        ask_intent(draft, pool, scenario, item=area, high=12)
    if rng.random() < 0.35:
        ask_yes_no(draft, INTENTS, intent)


def _ask_slots(draft: Draft, entities: list[dict[str, object]], shift: int) -> None:
    rng = draft.rng
    counts = Counter(str(entity["entity"]) for entity in entities)
    asked: list[Slot] = []
    for entity in entities:
        name = str(entity["entity"])
        if name in SLOTS and counts[name] == 1 and rng.random() < 0.95:
            draft.extract(SLOTS[name], (int(str(entity["start"])) + shift, int(str(entity["end"])) + shift))
            asked.append(SLOTS[name])
    absent = [other for name in counts for other in TEMPTING.get(name, ()) if other not in counts]
    for name in rng.sample(absent, min(len(absent), rng.choice((0, 0, 1, 1, 2)))):
        draft.extract(SLOTS[name], None)
    rest = [name for name in SLOTS if name not in counts and name not in absent]
    for name in rng.sample(rest, rng.choice((0, 0, 0, 0, 1)) if draft.fields else 1):
        draft.extract(SLOTS[name], None)
