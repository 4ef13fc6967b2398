"""Writers of the files in protocol/; `scripts/dev` lists their commands.

transcripts/, evidence/, messages/, related_files/ and derived/ say what there is to make, and
table.py makes it (`vectors-table`). rules/, crypto/, spec_tables/, checks.py and perft.py are
commands of their own. index.py writes the files of a folder with what is to come of each.
"""
