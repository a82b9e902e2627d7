"""The clubs and players of the sample: all invented, like the league they play in.

The names are chosen to be awkward for a name finder: accents, particles, one-word nicknames,
double-barrelled and shared surnames, and surnames that are English words.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Player:
    """One squad member; `position` is where they play whenever they are on the pitch."""

    id: int
    shirt: int
    name: str
    nickname: str | None
    position: str
    country: str


@dataclass(frozen=True)
class Club:
    """A squad (the first eleven start), who takes set pieces, and the planned changes."""

    id: int
    name: str
    manager: str
    formation: int
    players: tuple[Player, ...]
    takers: tuple[int, ...]
    changes: tuple[tuple[int, int], ...]

    def shirt(self, number: int) -> Player:
        """The player who wears a shirt number."""
        return next(p for p in self.players if p.shirt == number)


@dataclass(frozen=True)
class Fixture:
    """One match of the sample; `seed` fixes everything that happens in it."""

    folder: str
    home: Club
    away: Club
    referee: str
    seed: int


Row = tuple[int, str, str | None, str, str]


def _squad(club_id: int, *rows: Row) -> tuple[Player, ...]:
    return tuple(Player(club_id * 100 + row[0], *row) for row in rows)


HARROWMERE = Club(
    id=9001,
    name="Harrowmere City",
    manager="Bruno Castellan",
    formation=433,
    players=_squad(
        9001,
        (1, "Tomáš Havlovec", None, "Goalkeeper", "Czechia"),
        (2, "Reuben Cross", None, "Right Back", "England"),
        (4, "Wiebe van der Zijl", None, "Right Center Back", "Netherlands"),
        (5, "Ruaridh MacSween", None, "Left Center Back", "Scotland"),
        (3, "Anselmo Teixeira dos Reis", "Zeco", "Left Back", "Brazil"),
        (6, "Oluwafemi Adeyinka", "Femi Adeyinka", "Center Defensive Midfield", "Nigeria"),
        (8, "Søren Lykkegård", None, "Right Center Midfield", "Denmark"),
        (10, "Émilien Courtaud", None, "Left Center Midfield", "France"),
        (7, "Oluwatobi Samuel Adeyinka", "Tobi Adeyinka", "Right Wing", "Nigeria"),
        (11, "Çağrı Demirsoy", None, "Left Wing", "Turkey"),
        (9, "Matej Žagorec", None, "Center Forward", "Slovenia"),
        (13, "Ollie Penhaligon", None, "Goalkeeper", "England"),
        (15, "Jerome Addison-Pryce", None, "Right Back", "England"),
        (17, "Liban Warsame", None, "Left Wing", "Somalia"),
        (18, "Nicolás Ferreyra Bustos", "Nico Bustos", "Right Center Midfield", "Argentina"),
        (19, "Haruto Mizunoe", None, "Center Forward", "Japan"),
    ),
    takers=(10, 18, 8),
    changes=((11, 17), (8, 18), (9, 19)),
)

CASTLEBROOK = Club(
    id=9002,
    name="Castlebrook Athletic",
    manager="Una Garrity",
    formation=4231,
    players=_squad(
        9002,
        (1, "Iñaki Orbegozo", None, "Goalkeeper", "Spain"),
        (2, "Ebrima Saidykhan", None, "Right Back", "Gambia"),
        (5, "Fergal O'Shaughran", None, "Right Center Back", "Republic of Ireland"),
        (6, "Håkon Tveiterås", None, "Left Center Back", "Norway"),
        (3, "Tigran Avedyan", None, "Left Back", "Armenia"),
        (4, "Barnaby Field", None, "Right Defensive Midfield", "England"),
        (8, "João Pedro Vilarinho da Costa", "Jotinha", "Left Defensive Midfield", "Portugal"),
        (7, "Shun Hatakeda", None, "Right Wing", "Japan"),
        (10, "Lucien de Marsac", None, "Center Attacking Midfield", "Belgium"),
        (11, "Ciarán Mulvaney", None, "Left Wing", "Republic of Ireland"),
        (9, "Pape Gaye-Lambert", None, "Center Forward", "Senegal"),
        (12, "Bjarni Þorláksson", None, "Goalkeeper", "Iceland"),
        (14, "Desmond Achterberg", None, "Left Back", "Jamaica"),
        (16, "Wiktor Łuczenko", None, "Left Defensive Midfield", "Poland"),
        (17, "Malakai Tuilo", None, "Center Forward", "New Zealand"),
        (20, "Ignacio del Soto Arce", "Nacho del Soto", "Right Wing", "Spain"),
    ),
    takers=(10, 8, 11),
    changes=((7, 20), (8, 16), (9, 17)),
)

PORT_SELWYN = Club(
    id=9003,
    name="Port Selwyn United",
    manager="Rhodri Prydderch",
    formation=442,
    players=_squad(
        9003,
        (1, "Aleksi Räihälä", None, "Goalkeeper", "Finland"),
        (2, "Santiago Echeverri Pombo", "Santi Pombo", "Right Back", "Colombia"),
        (4, "Gwilym Prydderch", None, "Right Center Back", "Wales"),
        (5, "Sékou Mariko", None, "Left Center Back", "Mali"),
        (3, "Pieter de Winkel", None, "Left Back", "Netherlands"),
        (7, "Jaden Swift", None, "Right Midfield", "England"),
        (6, "Elias Sjöholm", None, "Right Center Midfield", "Sweden"),
        (8, "Przemysław Wąsicki", None, "Left Center Midfield", "Poland"),
        (11, "Ilyas Bekturov", None, "Left Midfield", "Kazakhstan"),
        (9, "Edivaldo Nascimento Prates", "Didinho", "Right Center Forward", "Brazil"),
        (10, "Kofi Amponsem-Clarke", None, "Left Center Forward", "Ghana"),
        (13, "Alfie Tregear", None, "Goalkeeper", "England"),
        (14, "Jae-min Oh", None, "Left Center Midfield", "South Korea"),
        (15, "Benjamín Orellana Vidaurre", "Benja Orellana", "Right Back", "Chile"),
        (17, "Nils Aasebø", None, "Left Center Forward", "Norway"),
        (18, "Khalid El Mansoubi", None, "Right Midfield", "Morocco"),
    ),
    takers=(8, 14, 7),
    changes=((8, 14), (7, 18), (10, 17)),
)

DUNVEAGH = Club(
    id=9004,
    name="Dunveagh Rovers",
    manager="Alasdair Kerr-Munro",
    formation=352,
    players=_squad(
        9004,
        (1, "Florin Drăgulănescu", None, "Goalkeeper", "Romania"),
        (4, "Cormac McElhatton", None, "Right Center Back", "Northern Ireland"),
        (5, "Vuk Radenčić", None, "Center Back", "Serbia"),
        (6, "Ikenna Obiorah", None, "Left Center Back", "Nigeria"),
        (2, "Théo Lacassagne", None, "Right Wing Back", "France"),
        (3, "Finlay Little", None, "Left Wing Back", "Scotland"),
        (8, "Oskar Sjöholm", None, "Right Center Midfield", "Sweden"),
        (16, "Nana Quaicoe", None, "Center Defensive Midfield", "Ghana"),
        (10, "Hernán Ibargüen Solís", "Hernán Solís", "Left Center Midfield", "Costa Rica"),
        (9, "Rúben dos Anjos", None, "Right Center Forward", "Portugal"),
        (11, "Kristján Eldjárnsson", None, "Left Center Forward", "Iceland"),
        (12, "Josip Krznarović", None, "Goalkeeper", "Croatia"),
        (14, "Dermot O'Halligan", None, "Left Wing Back", "Republic of Ireland"),
        (17, "Mehdi Benchaouchi", None, "Left Center Midfield", "Algeria"),
        (19, "Isaac Long", None, "Left Center Forward", "England"),
        (20, "Arjun Dhaliwal-Stone", None, "Right Center Midfield", "England"),
    ),
    takers=(10, 8, 17),
    changes=((3, 14), (11, 19), (10, 17)),
)

CLUBS = (HARROWMERE, CASTLEBROOK, PORT_SELWYN, DUNVEAGH)
FIXTURES = (
    Fixture("harrowmere-castlebrook", HARROWMERE, CASTLEBROOK, "Dominic Cross", 94),
    Fixture("port-selwyn-dunveagh", PORT_SELWYN, DUNVEAGH, "Helena Farquhar", 170),
)
