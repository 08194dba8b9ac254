"""Word lists that names, streets and companies are put together from."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The words of a text, divided by blanks."""
    return tuple(text.split())


GIVEN = words("""
Ada Aino Akira Alba Aleksander Alice Amara Ana Andrei Anneke Anouk Arjun Astrid Ayşe Babak Bao Beatriz Ben
Bilal Birgit Björn Bruno Camille Carla Carlos Carmen Cem Chidi Chiara Chloe Claudia Daniel Dara Dilara Dmitri Dora
Edith Eero Elena Elias Eliska Emeka Emil Emma Enzo Esra Esther Fatima Felix Femi Finn Fiona Francesca Frida Gabor
George Giulia Grace Greta Hana Hanna Hector Helga Henrik Hiro Hugo Ibrahim Ines Ingrid Irina Isaac Ivan Jakob Jamila
Jana Jelena Joana João Jonas Jorge Julia Jun Kaito Karim Karin Kate Kemal Kenji Klara Kofi Lars Laura Lea Leila Leo
Liam Lina Linh Lorenz Lucia Luis Magda Maja Malik Marco Maria Marta Mateo Matti Maya Mehmet Mei Mia Milan Mina Mira
Mohamed Nadia Naomi Nico Nia Nils Nina Noah Nora Ola Oleg Olga Omar Oskar Otto Paula Pavel Pedro Petra Priya Quinn
Rafael Rana Raúl Rebecca Renate Rita Rosa Ruth Sami Samuel Sanna Sara Selma Sergio Sofia Stefan Sven Tariq Tessa
Theo Thomas Tilda Tomas Uma Ursula Vera Viktor Vikram Wanda Wei Xenia Yara Yasmin Yuki Yusuf Zoe Žofie""")
FAMILY = words("""
Abara Ackermann Adeyemi Aho Albrecht Almeida Amsel Andersen Arslan Banerjee Barros Bauer Becker Berg
Bianchi Blanc Boateng Bosch Brandt Brennan Brunner Calder Castell Chandra Chen Cohen Conti Cordes Costa Dahl Dekker
Delgado Demir Dietz Doyle Dubois Dunmore Eberhart Ekström Engel Eriksen Farkas Faure Fehr Ferrari Fischer Fontaine
Forsyth Friis Fuchs Gallo García Gerber Gruber Haas Halloran Hansen Harders Hartmann Haugen Heikkinen Herrera Hofer
Holm Horvat Hoyle Huang Iversen Jansen Jensen Jovanović Kaplan Karlsson Kaur Keller Khan Kim Kirchner Koch Kowalski
Kruger Kuhn Laine Lang Larsen Leclerc Lehtonen Lindqvist Lopes Lund MacRae Marchetti Marek Marín Martel Mbeki Meyer
Mohr Molnar Moreau Moretti Müller Nakamura Navarro Neumann Nguyen Nilsson Novak Nowak Nyström O'Connell Oduya Okafor
Okonkwo Olsen Ortega Osei Öztürk Park Patel Pellegrini Pereira Petrov Pham Pohl Popescu Quist Raman Rasmussen Reuter
Ricci Riedel Rivera Roche Romano Rossi Roth Ruiz Saito Salonen Santos Sato Sauer Schmitz Schuster Serra Sharma Silva
Sokolov Sommer Sørensen Steiner Stone Suzuki Szabo Tanaka Thorne Torres Turner Urban Vance Vargas Vogel Voss Wagner
Walsh Weber Wendt Whitlock Wieland Wong Yıldız Young Zander Zeller Ziegler""")
TITLES = ("Dr.", "Dr", "Prof.", "Mr.", "Ms.", "Mrs.", "Mr", "Ms")
STARTS = words("""
Al An Ar Bal Ber Bor Bran Cal Cor Dal Del Dor El Er Fal Fen Gal Gar Hal Hol Ister Jor Kal Kel Kor Lan
Lin Lor Mar Mel Mor Nal Nor Or Pel Quen Ral Riv Sal Ser Sol Tal Tor Ul Val Ver Vol Wen Wil Yar Zel Zor""")
MIDDLES = ["a", "e", "i", "o", "u", "an", "en", "or", "ar", "el", "in", "is", "ov", "ad", "eb", "im", ""]
ENDS = words("""
bach berg bridge brook by dale den dorf feld field ford ham heim holt hurst ington ka land low mark mere
mond na nia nis now ra ran rath rick ridge ros sen stad stein stone tal tis ton va vale vik ville wald wick wood
worth""")
COMPANY_WORDS = words("""
Amber Anchor Apex Arctic Atlas Aurora Beacon Birch Blue Brass Bright Cedar Circle Clear Cobalt
Compass Copper Coral Crown Delta Drift Eagle East Echo Ember Falcon Fern Fjord Flint Forge Fox Garnet Glade Golden
Granite Green Grove Harbour Hazel Heron High Horizon Iron Ivory Jade Juniper Kestrel Lantern Larch Linden Lunar Maple
Meadow Meridian Mill Moss Nimbus North Oak Ocean Olive Onyx Orchard Osprey Otter Pebble Pine Pioneer Polar Prairie
Quarry Quartz Raven Red River Rowan Sable Saffron Salt Silver Slate Solar Sparrow Spruce Steel Stone Summit Swift
Tamarack Thistle Tidal Timber Topaz Union Urban Velvet Vertex Violet Walnut West Willow Winter Wren Zephyr""")
TRADES = words("""
Analytics Bakery Bikes Books Brewing Cables Carpets Catering Ceramics Cleaning Clinic Coffee Components
Consulting Copies Dental Design Digital Drinks Electric Energy Engineering Events Fabrics Farms Films Fitness Flooring
Flowers Foods Freight Furniture Gardens Glass Hardware Heating Holdings Home Imports Instruments Interiors Joinery
Kitchens Labs Legal Lighting Logistics Machines Marine Media Mobility Motors Music Networks Office Optics Outdoor
Packaging Paints Paper Partners Pharma Plastics Plumbing Press Print Printing Properties Repairs Robotics Roofing
Security Services Software Solutions Sports Stationery Storage Studio Supplies Systems Tea Technologies Textiles Tiles
Timber Tools Toys Trading Travel Uniforms Wines Works Workshop""")
FORMS = {
    "en": ("Ltd", "Ltd.", "Inc.", "Inc", "LLC", "LLP", "PLC", "& Co.", "Group", "", "", "Co-op"),
    "de": ("GmbH", "GmbH", "AG", "GmbH & Co. KG", "e.K.", "UG", "KG", "OHG"),
    "fr": ("SARL", "SAS", "SA", "et Fils"),
    "es": ("S.L.", "S.A.", "S.L.U."),
}
STREET = {
    "en": words("Street Road Lane Avenue Way Drive Close Court Terrace Square Crescent Hill Row Quay"),
    "de": words("straße weg allee gasse platz ring damm ufer straße straße"),
    "fr": ("rue de", "rue du", "avenue de", "boulevard", "place", "chemin de"),
    "es": ("Calle", "Calle de", "Avenida", "Plaza", "Paseo de"),
}
STREET_NAMES = words("""
Mill Station Church Park Garden Bridge School Market Chapel Castle Forest Lake River Harbour Abbey
Orchard Bakery Tower Spring Brewery Windmill Meadow Quarry Ferry Granary Foundry Tannery""")
STREET_DE = words("""
Mühlen Bahnhof Kirch Park Garten Brücken Schul Markt Linden Birken Eichen Wald See Hafen Kloster Rosen
Ziegel Berg Tal Brunnen Feld Wiesen Ahorn Buchen Schiller Goethe""")
STREET_FR = words("l'Église Moulin Lavoir Tilleuls Vignes Port Marché Lilas Pont Château Jardin Four")
STREET_ES = words("Molino Mayor Río Iglesia Olivo Fuente Jardín Puerto Sol Luna Olmo Rosal")
RESERVED = ("example", "example", "test", "example.com", "example.org", "example.net", "example.com")
