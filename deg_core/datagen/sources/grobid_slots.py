"""What is asked of scientific papers, by the marks of the GROBID corpora, and what is worth asking in vain."""

from __future__ import annotations

from deg_core.datagen.wording import slot

HEADER = {
    "titlePart": slot(
        "title|paper title|article title|document title|heading",
        "title of the paper|what is the paper called?|full title, without journal name",
    ),
    "docAuthor": slot(
        "authors|author names|author line|written by|byline",
        "names of the authors, as printed|who wrote the paper?|the author line",
        opaque=True,
    ),
    "affiliation": slot(
        "affiliation|institution|university|organisation of authors",
        "where the authors work|institution of the authors as printed",
    ),
    "address": slot(
        "address|postal address|location of institution", "address of the institution|where is the institution?"
    ),
    "email": slot(
        "email|contact email|corresponding email|e mail address",
        "email address of an author|how to reach the authors by mail",
        kind="email",
    ),
    "date": slot(
        "date|publication date|date printed|paper date|published",
        "date on the first page|when was it published?",
        kind="date",
    ),
    "idno": slot(
        "identifier|document number|doi or report number|paper id",
        "identifier of the paper: DOI, arXiv or report number",
        opaque=True,
    ),
    "title": slot(
        "journal|journal name|published in", "name of the journal the paper is in|which journal?", opaque=True
    ),
    "keyword": slot(
        "keywords|key terms|subject terms|index terms", "the keywords, as one text|list of keywords as printed"
    ),
    "copyright": slot("copyright|copyright notice|rights", "copyright notice|who holds the rights, as printed"),
    "submission": slot(
        "submission history|received and accepted|submission dates", "note on when it was received or accepted"
    ),
    "doctype": slot(
        "document type|article type|kind of paper", "kind of document as printed, such as Research article"
    ),
    "phone": slot("phone|phone number|telephone", "phone number of the authors"),
    "ptr": slot("url|web address|link|website", "web address of the paper", kind="uri"),
    "publisher": slot("publisher|publishing house", "name of the publisher"),
    "meeting": slot("conference|meeting|event|venue", "conference the paper was given at"),
    "editor": slot("editors|editor|edited by", "names of the editors"),
    "funding": slot("funding|funding note|grant note", "note on who paid for the work"),
    "reference": slot(
        "citation line|how to cite|bibliographic line", "the bibliographic line of the paper itself", opaque=True
    ),
    "group": slot("collaboration|research group", "collaboration that signs the paper"),
}
HEADER_ABSENT = (
    "email",
    "date",
    "idno",
    "title",
    "keyword",
    "submission",
    "phone",
    "publisher",
    "meeting",
    "editor",
    "doctype",
    "ptr",
)
CITATION = {
    "author": slot(
        "authors|author|by|author names|writers", "authors as printed in the reference|who wrote the cited work?"
    ),
    "title a": slot(
        "title|article title|paper title|title of work",
        "title of the cited article or chapter|what is the cited work called?",
    ),
    "title j": slot(
        "journal|journal name|periodical|source|published in", "journal, as abbreviated in the reference|which journal?"
    ),
    "title m": slot(
        "book|book title|proceedings|monograph|container title",
        "title of the book or proceedings|which volume is it in?",
    ),
    "title s": slot("series|series title", "series the book belongs to"),
    "date": slot(
        "year|date|publication date|publication year|year published", "year or date of publication|when did it appear?"
    ),
    "volume": slot("volume|vol|journal volume|volume number", "volume number|which volume?"),
    "issue": slot("issue|number|issue number|no", "issue within the volume|issue number"),
    "page": slot("pages|page range|pp|page numbers", "pages as printed|first and last page"),
    "pubPlace": slot(
        "place|city of publication|publisher location|place of publication", "where it was published or held"
    ),
    "publisher": slot("publisher|publishing house|press", "publisher|who published it?"),
    "editor": slot("editors|editor|edited by", "editors of the volume"),
    "orgName": slot("organisation|institution|collaboration", "organisation or collaboration named as responsible"),
    "arxiv": slot("arxiv id|arxiv|preprint number|eprint", "arXiv identifier, as printed"),
    "doi": slot("doi|digital object identifier", "DOI, as printed"),
    "ptr": slot("url|link|web address|available at", "web address", kind="uri"),
    "report": slot("report type|kind of document|thesis type", "kind of report or thesis, as printed"),
    "pmid": slot("pmid|pubmed id", "PubMed number, as printed"),
}
CITATION_ABSENT = (
    "title m",
    "title j",
    "issue",
    "pubPlace",
    "publisher",
    "editor",
    "arxiv",
    "doi",
    "ptr",
    "volume",
    "page",
    "report",
)
AFFILIATION = {
    "institution": slot(
        "institution|university|organisation|employer", "university, institute or company|where does the person work?"
    ),
    "department": slot("department|faculty|division|unit", "department or faculty|which department?"),
    "laboratory": slot("laboratory|lab|research group", "laboratory or group|which lab?"),
    "settlement": slot("city|town|location", "city|in which city?"),
    "region": slot("state|region|province", "state, province or region"),
    "country": slot("country|nation", "country|in which country?"),
    "postCode": slot("postcode|zip|postal code", "postal code, as printed"),
    "addrLine": slot("street|street address|address line", "street and number, or other address line"),
    "postBox": slot("po box|post box", "post-office box, with its number"),
    "marker": slot("marker|footnote mark|index mark", "number or sign that links it to an author", opaque=True),
}
NAME_ABSENT = ("middlename", "suffix", "roleName")
NAME = {
    "forename": slot("first name|given name|forename", "first name or initial|given name as printed"),
    "middlename": slot("middle name|middle initial|second name", "middle name or initial"),
    "surname": slot("last name|surname|family name", "family name"),
    "suffix": slot("suffix|generation", "suffix such as Jr or III"),
    "roleName": slot("title|degree|role|academic title", "degree or title such as MD or Prof"),
}
DATE = {
    "day": slot("day|day of month", "day of the month", kind="integer"),
    "month": slot("month|month name", "month, as written"),
    "year": slot("year", "four-digit year|which year?", kind="integer"),
}
ACKNOWLEDGMENT = {
    "individual": slot("person|person thanked|individual|who is thanked", "person who is thanked|who helped?"),
    "fundingAgency": slot(
        "funder|funding agency|sponsor|funded by|grant giver", "organisation that paid for the work|who funded it?"
    ),
    "grantNumber": slot("grant number|award number|grant id|contract number", "number of the grant, as printed"),
    "institution": slot(
        "institution|institute thanked|organisation", "institution that is thanked but did not pay", opaque=True
    ),
    "affiliation": slot(
        "affiliation|affiliation of person|works at", "where the person who is thanked works", opaque=True
    ),
    "grantName": slot("grant name|fellowship|award", "name of the grant or fellowship"),
    "projectName": slot("project|project name", "name of the project"),
    "programName": slot("programme|program name|funding programme", "name of the funding programme"),
}
